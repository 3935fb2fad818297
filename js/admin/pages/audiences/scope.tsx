// Where an audience can be used: in all environments of the project, or in one.
import { Chip } from "../../parts/display/chip.js";
import type { Audience, Environment } from "./audiences.js";

interface ScopeProps {
  audience: Audience;
  environments: readonly Environment[] | undefined;
}

export function Scope({ audience: { environmentKey }, environments }: ScopeProps) {
  if (!environmentKey) return <Chip>Project-wide</Chip>;
  const name = environments?.find(({ key }) => key === environmentKey)?.name ?? environmentKey;
  return (
    <Chip tone="note" icon="environments">
      <bdi>{name}</bdi>
      <span className="visually-hidden"> only</span>
    </Chip>
  );
}
