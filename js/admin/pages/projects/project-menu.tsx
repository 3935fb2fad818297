// What an administrator can do with a project: rename it, or delete it once it is empty.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { resource } from "../../api/queries.js";
import { Menu } from "../../parts/button/menu.js";
import { DeleteDialog } from "../../parts/dialog/delete-dialog.js";
import { RenameDialog } from "../../parts/dialog/rename-dialog.js";
import { toast } from "../../parts/feedback/toast.js";
import { PROJECT, PROJECTS, type Project } from "./projects.js";

export function ProjectMenu({ project }: { project: Project }) {
  const [open, setOpen] = useState<"rename" | "delete">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        label={`Actions for ${project.name}`}
        actions={[
          { key: "rename", label: "Rename…", icon: "edit", run: () => setOpen("rename") },
          { key: "delete", label: "Delete…", icon: "trash", danger: true, run: () => setOpen("delete") },
        ]}
      />
      {open === "rename" && <RenameProject project={project} onClose={close} />}
      {open === "delete" && <DeleteProject project={project} onClose={close} />}
    </>
  );
}

function RenameProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const path = { projectKey: project.key };
  const stored = useQuery(resource(PROJECT, { path }));
  const onDone = (name: string) => {
    toast({ tone: "good", text: `The project was renamed to ${name}.` });
    onClose();
  };
  return (
    <RenameDialog
      title="Rename project"
      stored={stored}
      send={(name, version) => client.PATCH(PROJECT, { params: { path, header: ifMatch(version) }, body: { name } })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

function DeleteProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const remove = useChange(() => client.DELETE(PROJECT, { params: { path: { projectKey: project.key } } }), {
    refresh: [[PROJECTS]],
  });
  return (
    <DeleteDialog
      kind="project"
      name={project.name}
      typedKey={project.key}
      change={remove}
      onDone={onClose}
      onClose={onClose}
    >
      <p>
        <strong>
          <bdi>{project.name}</bdi>
        </strong>{" "}
        will be deleted permanently, with its audiences and pipelines. Delete its features and environments first: only
        an empty project can be deleted.
      </p>
    </DeleteDialog>
  );
}
