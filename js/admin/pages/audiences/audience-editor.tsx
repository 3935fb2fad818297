// Name and conditions of an audience, edited. Other conditions reach every use at once, so they are asked about first.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { fieldErrors } from "../../api/problem.js";
import { resource, type Versioned } from "../../api/queries.js";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import type { Condition } from "../../parts/conditions/draft.js";
import { ConditionsEditor } from "../../parts/conditions/editor.js";
import { ConditionWords } from "../../parts/conditions/words.js";
import { ConfirmDialog } from "../../parts/dialog/confirm-dialog.js";
import { Diff } from "../../parts/display/diff.js";
import { Banner } from "../../parts/feedback/banner.js";
import { toast } from "../../parts/feedback/toast.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { canChangeTargeting } from "../../roles.js";
import {
  AUDIENCE,
  AUDIENCES,
  type Audience,
  attributesOf,
  type Content,
  contentOf,
  sameConditions,
  type Use,
  useAudiences,
} from "./audiences.js";
import { UseLines } from "./uses.js";

interface AudienceEditorProps {
  project: string;
  stored: Versioned<Audience>;
  uses: readonly Use[];
}

export function AudienceEditor({ project, stored, uses }: AudienceEditorProps) {
  const { user } = useSession();
  const queries = useQueryClient();
  const audiences = useAudiences(project).data ?? [];
  const [base, setBase] = useState(stored);
  const [content, setContent] = useState<Content>(contentOf(stored.value));
  const [theirs, setTheirs] = useState<Content>();
  const [asking, setAsking] = useState(false);

  const params = { path: { projectKey: project, audienceKey: stored.value.key } };
  const renamed = content.name !== base.value.name;
  const rewritten = !sameConditions(content.conditions, base.value.conditions);
  const dirty = renamed || rewritten;
  const save = useChange(
    (body: { name?: string; conditions?: Condition[] }) =>
      client.PATCH(AUDIENCE, { params: { ...params, header: ifMatch(base.version) }, body }),
    { refresh: [[AUDIENCE], [AUDIENCES]] },
  );
  const begin = (now: Versioned<Audience>) => {
    setBase(now);
    setContent(contentOf(now.value));
    setTheirs(undefined);
  };

  // Nothing of one's own: what is shown follows what is stored.
  useEffect(() => {
    if (dirty || stored.version === base.version) return;
    setBase(stored);
    setContent(contentOf(stored.value));
  }, [dirty, stored, base.version]);

  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [dirty]);

  const send = async () => {
    const { name, conditions } = content;
    const outcome = await save.run({ ...(renamed && { name }), ...(rewritten && { conditions: [...conditions] }) });
    setAsking(false);
    if (outcome.kind === "done") {
      toast({ tone: "good", text: `The audience ${name} was saved.` });
      begin({ value: outcome.value, version: outcome.version });
    } else if (outcome.kind === "conflict") {
      const now = await queries.fetchQuery({ ...resource(AUDIENCE, params), staleTime: 0 });
      setBase(now);
      setTheirs(contentOf(now.value));
    }
  };
  const notMine = uses.filter(({ environment }) => !canChangeTargeting(user.role, environment));
  const inProduction = uses.some(({ environment }) => environment.production);
  return (
    <Form problem={save.problem} onSubmit={() => (rewritten && uses.length > 0 ? setAsking(true) : void send())}>
      {theirs && (
        <>
          <Banner tone="warn" actions={<Button onPress={() => begin(base)}>Take theirs</Button>}>
            Somebody else has changed this audience since you began. Nothing was saved. Save again to put yours in its
            place.
          </Banner>
          <Diff before={theirs} after={content} labels={["Theirs", "Yours"]} />
        </>
      )}
      <div className="audiences-own-name">
        <TextField
          label="Name"
          name="name"
          isRequired
          value={content.name}
          onChange={(name) => setContent({ ...content, name })}
        />
      </div>
      <fieldset className="audiences-group">
        <legend className="field-label">Conditions</legend>
        {notMine.length > 0 ? (
          <>
            <Banner tone="note">
              It is used in production, where only production editors and administrators change what users get. You can
              change its name.
            </Banner>
            <ConditionWords conditions={content.conditions} />
          </>
        ) : (
          <>
            <p className="field-hint">All of them have to hold.</p>
            <ConditionsEditor
              value={content.conditions}
              onChange={(conditions) => setContent({ ...content, conditions })}
              pointer="conditions"
              errors={fieldErrors(save.problem)}
              attributes={attributesOf(audiences)}
            />
          </>
        )}
      </fieldset>
      <div className="audiences-buttons">
        <Button kind="primary" type="submit" isDisabled={!dirty} isPending={save.pending}>
          Save
        </Button>
        <Button
          isDisabled={!dirty}
          onPress={() => {
            begin(base);
            save.reset();
          }}
        >
          Discard
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={inProduction ? "Change what users get in production?" : "Change what users get?"}
          onClose={() => setAsking(false)}
          confirm={uses.length === 1 ? "Change 1 use" : `Change ${uses.length} uses`}
          kind={inProduction ? "danger" : "primary"}
          onConfirm={() => void send()}
          pending={save.pending}
        >
          <p>These rules follow the new conditions at once:</p>
          <UseLines uses={uses} />
        </ConfirmDialog>
      )}
    </Form>
  );
}
