// The state of the audience editor: what was typed, what it is based on, and what someone else has saved.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { resource, type Versioned } from "../../api/queries.js";
import type { Condition } from "../../parts/conditions/draft.js";
import { toast } from "../../parts/feedback/toast.js";
import { useUnloadWarning } from "../../parts/form/use-unload-warning.js";
import { AUDIENCE, AUDIENCES, type Audience, type AudienceDraft, sameConditions, toDraft } from "./audiences.js";

export function useAudienceEditor(project: string, stored: Versioned<Audience>) {
  const queries = useQueryClient();
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState<AudienceDraft>(toDraft(stored.value));
  const [theirs, setTheirs] = useState<AudienceDraft>();

  const params = { path: { projectKey: project, audienceKey: stored.value.key } };
  const nameChanged = draft.name !== base.value.name;
  const conditionsChanged = !sameConditions(draft.conditions, base.value.conditions);
  const dirty = nameChanged || conditionsChanged;
  const change = useChange(
    (body: { name?: string; conditions?: Condition[] }) =>
      client.PATCH(AUDIENCE, { params: { ...params, header: ifMatch(base.version) }, body }),
    { refresh: [[AUDIENCE], [AUDIENCES]] },
  );
  useUnloadWarning(dirty);
  const startFrom = (from: Versioned<Audience>) => {
    setBase(from);
    setDraft(toDraft(from.value));
    setTheirs(undefined);
  };

  // Without unsaved changes, the editor follows what is stored.
  useEffect(() => {
    if (dirty || stored.version === base.version) return;
    setBase(stored);
    setDraft(toDraft(stored.value));
  }, [dirty, stored, base.version]);

  const finish = (saved: Versioned<Audience>) => {
    toast({ tone: "good", text: `${draft.name} was saved.` });
    setBase(saved);
    // What was typed meanwhile is kept.
    setDraft((current) => (current === draft ? toDraft(saved.value) : current));
    setTheirs(undefined);
  };
  const save = async () => {
    const { name, conditions } = draft;
    const body = { ...(nameChanged && { name }), ...(conditionsChanged && { conditions: [...conditions] }) };
    const outcome = await change.run(body);
    if (outcome.kind === "done") finish(outcome);
    else if (outcome.kind === "conflict") {
      const current = await queries.fetchQuery({ ...resource(AUDIENCE, params), staleTime: 0 });
      // The answer to an earlier save was lost.
      if (name === current.value.name && sameConditions(conditions, current.value.conditions)) return finish(current);
      setBase(current);
      setTheirs(toDraft(current.value));
    }
  };
  return {
    draft,
    setDraft,
    dirty,
    conditionsChanged,
    /** What someone else has saved, after a conflict. */
    theirs,
    resetToTheirs: () => startFrom(base),
    discard: () => {
      startFrom(base);
      change.reset();
    },
    save,
    pending: change.pending,
    problem: change.problem,
  };
}
