// One audience: who is in it, where it is used, and whether it can be changed and deleted.
import { useState } from "react";
import { useNavigate } from "react-router";
import { useSession } from "../../api/session.js";
import { Button, LinkButton } from "../../parts/button/button.js";
import { ConditionWords } from "../../parts/conditions/words.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { AudienceEditor } from "./audience-editor.js";
import { useAudience, useEnvironments, useUses } from "./audiences.js";
import { DeleteAudience } from "./delete-audience.js";
import { Scope } from "./scope.js";
import { Uses } from "./uses.js";

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
  const mayEdit = hasRole(user.role, "editor");
  const used = uses !== undefined && uses.length > 0;
  return (
    <Page
      title={stored?.value.name ?? audienceKey}
      badges={
        <>
          <code className="audiences-key">{audienceKey}</code>
          {stored && <Scope audience={stored.value} environments={environments} />}
        </>
      }
      actions={
        <>
          <LinkButton href={list}>All audiences</LinkButton>
          {mayEdit && (
            <Button isDisabled={!uses || used} aria-describedby="audiences-in-use" onPress={() => setDeleting(true)}>
              Delete…
            </Button>
          )}
        </>
      }
    >
      <Section title="Who is in it">
        {!stored || !uses ? (
          <div className="audiences-waiting" aria-busy="true">
            <Skeleton width="100%" height="9rem" />
          </div>
        ) : mayEdit ? (
          <AudienceEditor project={project} stored={stored} uses={uses} />
        ) : (
          <ConditionWords conditions={stored.value.conditions} />
        )}
      </Section>
      <Section title="Where it is used">
        <Uses project={project} uses={uses} />
        {mayEdit && used && (
          <p id="audiences-in-use" className="audiences-note">
            It cannot be deleted while a rule uses it.
          </p>
        )}
      </Section>
      {deleting && stored && (
        <DeleteAudience
          project={project}
          stored={stored}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(list)}
        />
      )}
    </Page>
  );
}
