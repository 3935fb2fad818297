// What an administrator can do with an edge key: rotate, revoke.
import { useState } from "react";
import { Menu } from "../../parts/button/menu.js";
import type { EdgeKey } from "./edge-keys.js";
import { RevokeEdgeKey } from "./revoke-edge-key.js";
import { RotateEdgeKey } from "./rotate-edge-key.js";

export function EdgeKeyMenu({ project, edgeKey }: { project: string; edgeKey: EdgeKey }) {
  const [open, setOpen] = useState<"rotate" | "revoke">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        label={`Actions for ${edgeKey.name}`}
        actions={[
          { key: "rotate", label: "Rotate…", icon: "tokens", run: () => setOpen("rotate") },
          { key: "revoke", label: "Revoke…", icon: "trash", danger: true, run: () => setOpen("revoke") },
        ]}
      />
      {open === "rotate" && <RotateEdgeKey project={project} edgeKey={edgeKey} onClose={close} />}
      {open === "revoke" && <RevokeEdgeKey project={project} edgeKey={edgeKey} onClose={close} />}
    </>
  );
}
