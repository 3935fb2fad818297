// Activates, archives or restores a feature from the list.
import { Menu, type MenuAction } from "../../parts/button/menu.js";
import { useLifecycle } from "../../parts/feature/use-lifecycle.js";
import type { Feature, Lifecycle } from "./features.js";

interface FeatureMenuProps {
  project: string;
  feature: Feature;
  /** What requires an approval in any environment; empty if nothing does. */
  gates: readonly string[];
}

export function FeatureMenu({ project, feature, gates }: FeatureMenuProps) {
  const { activate: makeActive, archive: makeArchived, restore, dialog } = useLifecycle(project, feature, { gates });
  const activate: MenuAction = {
    key: "activate",
    label: "Activate",
    icon: "check",
    run: makeActive,
  };
  const archive: MenuAction = { key: "archive", label: "Archive…", icon: "archive", danger: true, run: makeArchived };
  const actions: Record<Lifecycle, MenuAction[]> = {
    Draft: [activate, archive],
    Active: [archive],
    Archived: [{ key: "restore", label: "Restore", icon: "restore", run: restore }],
  };
  return (
    <>
      <Menu label={`Actions for ${feature.name}`} actions={actions[feature.lifecycle]} />
      {dialog}
    </>
  );
}
