// Selects the source and the target environment, and swaps them.
import { IconButton } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import type { Environment } from "./comparison.js";

interface EnvironmentPairProps {
  environments: readonly Environment[] | undefined;
  source: string | undefined;
  target: string | undefined;
  onChange: (pair: { source: string | undefined; target: string | undefined }) => void;
}

export function EnvironmentPair({ environments, source, target, onChange }: EnvironmentPairProps) {
  const choices = (environments ?? []).map(({ key, name, production }) => ({
    key,
    label: name,
    ...(production && { detail: "Production" }),
  }));
  // Selecting the environment of the other side swaps the two.
  const swap = () => onChange({ source: target, target: source });
  const selectSource = (key: string) => (key === target ? swap() : onChange({ source: key, target }));
  const selectTarget = (key: string) => (key === source ? swap() : onChange({ source, target: key }));
  const loading = environments === undefined;
  return (
    <div className="compare-pair">
      <Select label="Source" choices={choices} value={source ?? null} onChange={selectSource} isDisabled={loading} />
      <IconButton icon="swap" label="Swap source and target" onPress={swap} isDisabled={!source || !target} />
      <Select label="Target" choices={choices} value={target ?? null} onChange={selectTarget} isDisabled={loading} />
    </div>
  );
}
