// Activates, archives or restores a feature from the list.
import { Menu, type MenuAction } from "../../parts/button/menu.js";
import { useLifecycle } from "../../parts/feature/use-lifecycle.js";
import type { Feature, Lifecycle } from "./features.js";

export function FeatureMenu({ project, feature }: { project: string; feature: Feature }) {
  const { setLifecycle, askToArchive, dialog } = useLifecycle(project, feature);
  const activate: MenuAction = {
    key: "activate",
    label: "Activate",
    icon: "check",
    run: () => setLifecycle("Active"),
  };
  const archive: MenuAction = { key: "archive", label: "Archive…", icon: "archive", danger: true, run: askToArchive };
  const actions: Record<Lifecycle, MenuAction[]> = {
    Draft: [activate, archive],
    Active: [archive],
    Archived: [{ key: "restore", label: "Restore", icon: "restore", run: () => setLifecycle("Active") }],
  };
  return (
    <>
      <Menu label={`Actions for ${feature.name}`} actions={actions[feature.lifecycle]} />
      {dialog}
    </>
  );
}
