// One environment: its settings, the keys that open it, and its end.
import { useState } from "react";
import { useNavigate } from "react-router";
import { useSession } from "../../api/session.js";
import { Button, LinkButton } from "../../parts/button/button.js";
import { ApprovalChip, ProductionChip } from "../../parts/display/chip.js";
import { KeyValue } from "../../parts/display/key-value.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { DeleteEnvironment } from "./delete-environment.js";
import { type Environment, useEnvironment } from "./environments.js";
import { Keys, useKeys } from "./keys.js";
import { SettingsForm } from "./settings-form.js";

export function OneEnvironment({ project, environmentKey }: { project: string; environmentKey: string }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const environment = useEnvironment(project, environmentKey);
  const of = { project, environmentKey };
  const clientKeys = useKeys("client", of);
  const serverKeys = useKeys("server", of);
  const [deleting, setDeleting] = useState(false);
  const list = `/projects/${project}/environments`;
  const all = <LinkButton href={list}>All environments</LinkButton>;
  if (environment.isError) {
    return (
      <Page title="Environment" actions={all}>
        <ErrorState error={environment.error} onRetry={() => void environment.refetch()} />
      </Page>
    );
  }
  const stored = environment.data;
  const mayManage = hasRole(user.role, "administrator");
  const production = stored?.value.production;
  return (
    <Page
      title={stored?.value.name ?? environmentKey}
      badges={
        <>
          {stored && <code className="environments-key">{environmentKey}</code>}
          {production && <ProductionChip />}
          {stored?.value.approvalRequired && <ApprovalChip />}
        </>
      }
      actions={
        <>
          {all}
          {mayManage && (
            <Button
              icon="trash"
              isDisabled={!stored || production}
              aria-describedby="environments-kept"
              onPress={() => setDeleting(true)}
            >
              Delete…
            </Button>
          )}
        </>
      }
    >
      {/* All at once, so that nothing is pushed aside by what comes later. */}
      {!stored || clientKeys.isPending || serverKeys.isPending ? (
        <div className="environments-waiting" aria-busy="true">
          <Skeleton width="100%" height="26rem" />
          <Skeleton width="100%" height="11rem" />
          <Skeleton width="100%" height="11rem" />
        </div>
      ) : (
        <>
          <Section title="Settings">
            {mayManage ? <SettingsForm project={project} stored={stored} /> : <Facts environment={stored.value} />}
            {mayManage && production && (
              <p id="environments-kept" className="environments-note">
                It cannot be deleted while it is marked as production.
              </p>
            )}
          </Section>
          <Keys kind="client" {...of} keys={clientKeys} mayManage={mayManage} />
          <Keys kind="server" {...of} keys={serverKeys} mayManage={mayManage} />
        </>
      )}
      {deleting && stored && (
        <DeleteEnvironment
          project={project}
          stored={stored}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(list)}
        />
      )}
    </Page>
  );
}

function Facts({ environment }: { environment: Environment }) {
  const { production, approvalRequired, allowedOrigins } = environment;
  return (
    <>
      <KeyValue
        facts={[
          { term: "Production", value: production ? "Yes: changing targeting takes a production editor" : "No" },
          { term: "Approval required", value: approvalRequired ? "Yes, for every change of targeting" : "No" },
          {
            term: "Allowed origins",
            value:
              allowedOrigins.length === 0
                ? "All"
                : allowedOrigins.map((origin) => (
                    <div key={origin}>
                      <bdi>{origin}</bdi>
                    </div>
                  )),
          },
        ]}
      />
      <p className="environments-note">Administrators change settings and keys.</p>
    </>
  );
}
