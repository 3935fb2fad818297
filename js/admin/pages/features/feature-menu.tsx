// What else can be done with a feature of the list: activate, archive, restore.
import { useLifecycle } from "../../parts/lifecycle.js";
import { Menu, type MenuAction } from "../../parts/menu.js";
import type { Feature, Lifecycle } from "./features.js";

export function FeatureMenu({ project, feature }: { project: string; feature: Feature }) {
  const { become, archive, question } = useLifecycle(project, feature);
  const activate: MenuAction = { key: "activate", label: "Make active", icon: "check", run: () => become("Active") };
  const put: MenuAction = { key: "archive", label: "Archive…", icon: "archive", danger: true, run: archive };
  const actions: Record<Lifecycle, MenuAction[]> = {
    Draft: [activate, put],
    Active: [put],
    Archived: [{ key: "restore", label: "Restore", icon: "restore", run: () => become("Active") }],
  };
  return (
    <>
      <Menu label={`Actions for ${feature.name}`} actions={actions[feature.lifecycle]} />
      {question}
    </>
  );
}
