// One environment: its settings and its keys.
import { useState } from "react";
import { hasFailed, type Versioned } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { ApprovalChip, ProductionChip } from "../../parts/display/chip.js";
import { KeyValue } from "../../parts/display/key-value.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { type KeyScope, useKeys } from "../../parts/keys/sdk-keys.js";
import { Page, Section } from "../../parts/layout/page.js";
import { Key } from "../../parts/list/name-cell.js";
import { hasRole } from "../../roles.js";
import { useNavigateFromHere } from "../../shown-url.js";
import { DeleteEnvironment } from "./delete-environment.js";
import { type Environment, useEnvironment } from "./environments.js";
import { KeysSection } from "./keys-section.js";
import { SettingsForm } from "./settings-form.js";

/** The id of the sentence that says why the Delete button is disabled. */
const WHY_NO_DELETE = "environments-no-delete";

export function EnvironmentPage({ project, environmentKey }: { project: string; environmentKey: string }) {
  const navigate = useNavigateFromHere();
  const { user } = useSession();
  const environment = useEnvironment(project, environmentKey);
  const clients: KeyScope = { kind: "client", project, environmentKey };
  const servers: KeyScope = { kind: "server", project, environmentKey };
  const clientKeys = useKeys(clients);
  const serverKeys = useKeys(servers);
  const [deleting, setDeleting] = useState(false);
  const listUrl = `/projects/${project}/environments`;
  if (hasFailed(environment)) {
    return (
      <Page title="Environment">
        <ErrorState error={environment.error} onRetry={() => void environment.refetch()} />
      </Page>
    );
  }
  const stored = environment.data;
  if (!stored || clientKeys.isPending || serverKeys.isPending) {
    return (
      <Page title={environmentKey}>
        <Loading />
      </Page>
    );
  }
  const { name, production } = stored.value;
  const canManage = hasRole(user.role, "administrator");
  return (
    <Page
      title={name}
      badges={<Badges environment={stored.value} />}
      actions={canManage && <DeleteButton isDisabled={production} onPress={() => setDeleting(true)} />}
    >
      <Settings project={project} stored={stored} canManage={canManage} />
      <KeysSection scope={clients} keys={clientKeys} canManage={canManage} />
      <KeysSection scope={servers} keys={serverKeys} canManage={canManage} />
      {deleting && (
        <DeleteEnvironment
          project={project}
          stored={stored}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate(listUrl)}
        />
      )}
    </Page>
  );
}

function DeleteButton(props: { isDisabled: boolean; onPress: () => void }) {
  return (
    <Button icon="trash" aria-describedby={WHY_NO_DELETE} {...props}>
      Delete…
    </Button>
  );
}

interface SettingsProps {
  project: string;
  stored: Versioned<Environment>;
  canManage: boolean;
}

function Settings({ project, stored, canManage }: SettingsProps) {
  return (
    <Section title="Settings">
      {canManage ? <SettingsForm project={project} stored={stored} /> : <SettingsList {...stored.value} />}
      {canManage && stored.value.production && (
        <p id={WHY_NO_DELETE} className="note">
          A production environment can't be deleted.
        </p>
      )}
    </Section>
  );
}

function Badges({ environment }: { environment: Environment }) {
  return (
    <>
      <Key>{environment.key}</Key>
      {environment.production && <ProductionChip />}
      {environment.approvalRequired && <ApprovalChip />}
    </>
  );
}

function Loading() {
  return (
    <div className="skeletons" aria-busy="true">
      <Skeleton width="100%" height="26rem" />
      <Skeleton width="100%" height="11rem" />
      <Skeleton width="100%" height="11rem" />
    </div>
  );
}

/** The settings, for people who can't change them. */
function SettingsList({ production, approvalRequired, allowedOrigins }: Environment) {
  const origins = allowedOrigins.map((origin) => (
    <div key={origin}>
      <bdi>{origin}</bdi>
    </div>
  ));
  return (
    <>
      <KeyValue
        facts={[
          { term: "Production", value: production ? "Yes: only production editors can change targeting" : "No" },
          { term: "Approval required", value: approvalRequired ? "Yes: for every targeting change" : "No" },
          { term: "Allowed origins", value: origins.length === 0 ? "All" : origins },
        ]}
      />
      <p className="note">Only administrators can change settings and keys.</p>
    </>
  );
}
