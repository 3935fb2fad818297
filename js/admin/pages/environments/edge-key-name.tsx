// The name of an edge key, with what tells it apart from others of the same name.
import type { EdgeKey } from "./edge-keys.js";

export function EdgeKeyName({ edgeKey: { name, hint } }: { edgeKey: EdgeKey }) {
  return (
    <p>
      <strong>
        <bdi>{name}</bdi>
      </strong>{" "}
      <code>edge-…{hint}</code>
    </p>
  );
}
