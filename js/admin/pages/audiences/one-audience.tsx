// One audience: its definition and its uses.
import { useState } from "react";
import { useEnvironments } from "../../api/projects.js";
import { hasFailed, type Versioned } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { ConditionList } from "../../parts/conditions/condition-list.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { Key } from "../../parts/list/name-cell.js";
import { hasRole } from "../../roles.js";
import { useNavigateFromHere } from "../../shown-url.js";
import { AudienceEditor } from "./audience-editor.js";
import { type Audience, type Use, useAudience, useUses } from "./audiences.js";
import { DeleteAudience } from "./delete-audience.js";
import { Scope } from "./scope.js";
import { UseTable } from "./uses.js";

export function OneAudience({ project, audienceKey }: { project: string; audienceKey: string }) {
  const navigate = useNavigateFromHere();
  const { user } = useSession();
  const audience = useAudience(project, audienceKey);
  const environments = useEnvironments(project).data;
  const uses = useUses(project, audience.data?.value);
  const [deleting, setDeleting] = useState(false);
  const list = `/projects/${project}/audiences`;
  const stored = audience.data;
  if (hasFailed(audience)) {
    return (
      <Page title="Audience">
        <ErrorState error={audience.error} onRetry={() => void audience.refetch()} />
      </Page>
    );
  }
  if (!stored || !uses) {
    return (
      <Page title={audienceKey}>
        <Loading />
      </Page>
    );
  }
  const canEdit = hasRole(user.role, "editor");
  return (
    <Page
      title={stored.value.name}
      badges={
        <>
          <Key>{audienceKey}</Key>
          <Scope audience={stored.value} environments={environments} />
        </>
      }
      actions={
        canEdit && (
          <Button isDisabled={uses.length > 0} aria-describedby="audiences-in-use" onPress={() => setDeleting(true)}>
            Delete…
          </Button>
        )
      }
    >
      <Definition project={project} stored={stored} uses={uses} canEdit={canEdit} />
      <Uses project={project} uses={uses} canEdit={canEdit} />
      {deleting && (
        <DeleteAudience
          project={project}
          stored={stored}
          onDeleted={() => navigate(list)}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
}

function Loading() {
  return (
    <div className="skeletons" aria-busy="true">
      <Skeleton width="100%" height="9rem" />
      <Skeleton width="100%" height="9rem" />
    </div>
  );
}

interface DefinitionProps {
  project: string;
  stored: Versioned<Audience>;
  uses: readonly Use[];
  canEdit: boolean;
}

function Definition({ project, stored, uses, canEdit }: DefinitionProps) {
  return (
    <Section title="Definition">
      {canEdit ? (
        <AudienceEditor project={project} stored={stored} uses={uses} />
      ) : (
        <ConditionList conditions={stored.value.conditions} />
      )}
    </Section>
  );
}

function Uses({ project, uses, canEdit }: Omit<DefinitionProps, "stored">) {
  return (
    <Section title="Used in">
      <UseTable project={project} uses={uses} />
      {canEdit && uses.length > 0 && (
        <p id="audiences-in-use" className="muted">
          Can't be deleted while rules use it.
        </p>
      )}
    </Section>
  );
}
