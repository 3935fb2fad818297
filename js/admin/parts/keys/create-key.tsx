// Creates a key of an environment, and shows it once.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { CreateDialog } from "../dialog/create-dialog.js";
import { SecretDialog } from "../dialog/secret-dialog.js";
import { useNaming } from "../form/name-and-key.js";
import { rememberClientKey } from "./created-keys.js";
import { KEY_KINDS, type KeyScope } from "./sdk-keys.js";

export function CreateKey({ scope, onClose }: { scope: KeyScope; onClose: () => void }) {
  const { listPath, noun, usage } = KEY_KINDS[scope.kind];
  const path = { projectKey: scope.project, environmentKey: scope.environmentKey };
  const naming = useNaming();
  const [secret, setSecret] = useState<string>();
  const create = useChange(() => client.POST(listPath, { params: { path }, body: { name: naming.name } }), {
    refresh: [[listPath]],
  });
  if (secret !== undefined) {
    const title = scope.kind === "client" ? "Client key created" : "Server key created";
    return (
      <SecretDialog title={title} label={noun} secret={secret} onClose={onClose}>
        <p>{usage}</p>
      </SecretDialog>
    );
  }
  return (
    <CreateDialog
      title={`New ${noun}`}
      naming={naming}
      nameHint="The page or service that will use it."
      create={create}
      submit="Create key"
      onCreated={({ id, key }) => {
        if (!key) return;
        if (scope.kind === "client") rememberClientKey(id, key);
        setSecret(key);
      }}
      onClose={onClose}
    />
  );
}
