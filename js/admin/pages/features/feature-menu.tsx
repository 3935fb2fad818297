// What else can be done with a feature of the list: activate, archive, restore.

import { Menu, type MenuAction } from "../../parts/button/menu.js";
import { useLifecycle } from "../../parts/feature/use-lifecycle.js";
import type { Feature, Lifecycle } from "./features.js";

export function FeatureMenu({ project, feature }: { project: string; feature: Feature }) {
  const { setLifecycle, askToArchive, dialog } = useLifecycle(project, feature);
  const activate: MenuAction = {
    key: "activate",
    label: "Make active",
    icon: "check",
    run: () => setLifecycle("Active"),
  };
  const put: MenuAction = { key: "archive", label: "Archive…", icon: "archive", danger: true, run: askToArchive };
  const actions: Record<Lifecycle, MenuAction[]> = {
    Draft: [activate, put],
    Active: [put],
    Archived: [{ key: "restore", label: "Restore", icon: "restore", run: () => setLifecycle("Active") }],
  };
  return (
    <>
      <Menu label={`Actions for ${feature.name}`} actions={actions[feature.lifecycle]} />
      {dialog}
    </>
  );
}
