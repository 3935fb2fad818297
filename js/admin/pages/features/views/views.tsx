// Saved views: filters and orders of the list under a name, for the signed-in person alone.
import { useState } from "react";
import { Menu, type MenuAction } from "../../../parts/button/menu.js";
import { deferredDialog } from "../../../parts/dialog/deferred-dialog.js";
import { Icon } from "../../../parts/display/icon.js";
import { useSearchParams } from "../../../shown-url.js";
import type { PreferenceControls } from "../preferences.js";

const SaveView = deferredDialog("Save this view", async () => (await import("../dialogs.js")).SaveView);
const DeleteViews = deferredDialog("Delete views", async () => (await import("../dialogs.js")).DeleteViews);

type ViewsProps = Pick<PreferenceControls, "views" | "saveView" | "deleteView">;

export function Views({ views, saveView, deleteView }: ViewsProps) {
  const [params, setParams] = useSearchParams();
  const [dialog, setDialog] = useState<"save" | "manage">();
  const actions: MenuAction[] = [
    ...views.map(({ name, query }) => ({ key: `view ${name}`, label: name, run: () => setParams(query) })),
    { key: "save", label: "Save this view…", icon: "plus", run: () => setDialog("save") },
    ...(views.length > 0
      ? [{ key: "manage", label: "Delete views…", icon: "trash" as const, run: () => setDialog("manage") }]
      : []),
  ];
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu label="Views" actions={actions}>
        <span className="button-text">Views</span>
        <Icon name="down" />
      </Menu>
      {dialog === "save" && (
        <SaveView
          names={views.map(({ name }) => name)}
          onSave={(name) => saveView({ name, query: params.toString() })}
          onClose={close}
        />
      )}
      {dialog === "manage" && <DeleteViews {...{ views, deleteView }} onClose={close} />}
    </>
  );
}
