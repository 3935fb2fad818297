// One audience: its definition and its uses.
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Versioned } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button, LinkButton } from "../../parts/button/button.js";
import { ConditionList } from "../../parts/conditions/condition-list.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { Key } from "../../parts/list/name-cell.js";
import { hasRole } from "../../roles.js";
import { AudienceEditor } from "./audience-editor.js";
import { type Audience, type Use, useAudience, useEnvironments, useUses } from "./audiences.js";
import { DeleteAudience } from "./delete-audience.js";
import { Scope } from "./scope.js";
import { UseTable } from "./uses.js";

export function OneAudience({ project, audienceKey }: { project: string; audienceKey: string }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const audience = useAudience(project, audienceKey);
  const environments = useEnvironments(project).data;
  const uses = useUses(project, audience.data?.value);
  const [deleting, setDeleting] = useState(false);
  const list = `/projects/${project}/audiences`;
  const stored = audience.data;
  if (audience.isError) {
    return (
      <Page title="Audience" actions={<LinkButton href={list}>All audiences</LinkButton>}>
        <ErrorState error={audience.error} onRetry={() => void audience.refetch()} />
      </Page>
    );
  }
  const canEdit = hasRole(user.role, "editor");
  return (
    <Page
      title={stored?.value.name ?? audienceKey}
      badges={
        <>
          <Key>{audienceKey}</Key>
          {stored && <Scope audience={stored.value} environments={environments} />}
        </>
      }
      actions={
        // They come with the badges, which may take a second line.
        stored && (
          <>
            <LinkButton href={list}>All audiences</LinkButton>
            {canEdit && (
              <Button
                isDisabled={uses?.length !== 0}
                aria-describedby="audiences-in-use"
                onPress={() => setDeleting(true)}
              >
                Delete…
              </Button>
            )}
          </>
        )
      }
    >
      <Section title="Definition">
        <Definition project={project} stored={stored} uses={uses} canEdit={canEdit} />
      </Section>
      <Uses project={project} uses={uses} canEdit={canEdit} />
      {deleting && stored && (
        <DeleteAudience
          project={project}
          stored={stored}
          onDeleted={() => void navigate(list)}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
}

interface DefinitionProps {
  project: string;
  /** Undefined while it is loading, as `uses`. */
  stored: Versioned<Audience> | undefined;
  uses: readonly Use[] | undefined;
  canEdit: boolean;
}

function Definition({ project, stored, uses, canEdit }: DefinitionProps) {
  if (!stored || !uses) {
    return (
      <div className="skeletons" aria-busy="true">
        <Skeleton width="100%" height="9rem" />
      </div>
    );
  }
  return canEdit ? (
    <AudienceEditor project={project} stored={stored} uses={uses} />
  ) : (
    <ConditionList conditions={stored.value.conditions} />
  );
}

function Uses({ project, uses, canEdit }: Omit<DefinitionProps, "stored">) {
  return (
    <Section title="Used in">
      <UseTable project={project} uses={uses} />
      {canEdit && uses && uses.length > 0 && (
        <p id="audiences-in-use" className="muted">
          Can't be deleted while rules use it.
        </p>
      )}
    </Section>
  );
}
