// The two environments: picked, and swapped.
import { IconButton } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import type { Environment } from "./comparison.js";

interface PairProps {
  environments: readonly Environment[] | undefined;
  source: string | undefined;
  target: string | undefined;
  onChange: (pair: { source: string | undefined; target: string | undefined }) => void;
}

export function Pair({ environments, source, target, onChange }: PairProps) {
  const choices = (environments ?? []).map(({ key, name, production }) => ({
    key,
    label: name,
    ...(production && { detail: "Production" }),
  }));
  // Who picks on one side what stands on the other means it the other way round.
  const swap = () => onChange({ source: target, target: source });
  const pickSource = (key: string) => (key === target ? swap() : onChange({ source: key, target }));
  const pickTarget = (key: string) => (key === source ? swap() : onChange({ source, target: key }));
  const missing = environments === undefined;
  return (
    <div className="compare-pair">
      <Select label="Source" choices={choices} value={source ?? null} onChange={pickSource} isDisabled={missing} />
      <IconButton icon="swap" label="Swap source and target" onPress={swap} isDisabled={!source || !target} />
      <Select label="Target" choices={choices} value={target ?? null} onChange={pickTarget} isDisabled={missing} />
    </div>
  );
}
