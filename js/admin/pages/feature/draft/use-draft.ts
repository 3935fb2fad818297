// The draft on the page: what was typed, the version that it is based on, and whether someone else has saved since.
import { useCallback, useEffect, useMemo, useState } from "react";
import { useSession } from "../../../api/session.js";
import { type Change, changesBetween } from "../../../parts/changes/changes.js";
import type { AudienceNames } from "../../../parts/changes/descriptions.js";
import { pairById } from "../../../parts/changes/rule-pairs.js";
import type { Targeting } from "../../../parts/changes/targeting.js";
import { type Draft, type SavedTargeting, sameTargeting, toDraft, toTargeting } from "./draft.js";
import { deleteDraft, draftKey, loadDraft, type StoredDraft, storeDraft } from "./draft-storage.js";
import { type Edit, onTopOf } from "./on-top-of.js";
import { baseIds, differOnlyInSwitch, rebased } from "./rebase.js";
import { useLeaveWarning } from "./use-leave-warning.js";
import { findViolations } from "./violations.js";

function draftFrom(saved: SavedTargeting): StoredDraft {
  const draft = toDraft(saved);
  return { base: saved, ids: draft.rules.map(({ id }) => id), draft, comment: "" };
}

/** The rules keep the ids of the saved ones that they correspond to, so that their changes are told apart. */
function replacement(targeting: Targeting, base: SavedTargeting, comment: string): StoredDraft {
  const draft = toDraft(targeting);
  const ids = draft.rules.map(({ id }) => id);
  return { base, ids: baseIds(base, { base, ids, draft, comment }), draft, comment };
}

/** What a review shows: a draft, and how it differs from the targeting that it changes. */
export interface Reviewed {
  base: Targeting;
  draft: Draft;
  changes: readonly Change[];
}

export interface DraftState extends Reviewed {
  comment: string;
  /** The version that the draft is based on. */
  base: SavedTargeting;
  update: (change: (draft: Draft) => Draft) => void;
  setComment: (comment: string) => void;
  /** Whether there are unsaved changes. */
  dirty: boolean;
  /** Whether someone else has saved a change since. */
  outdated: boolean;
  /** Whether the draft was in storage when the page opened. */
  restored: boolean;
  /** Starts over from the saved version. `undoDiscard` brings the changes back. */
  discard: (saved: SavedTargeting) => void;
  canUndoDiscard: boolean;
  undoDiscard: () => void;
  /** Keeps the changes, based on what is saved now. */
  rebase: () => void;
  /** The same changes to another targeting: to what is there by the time that they are made. */
  onTopOf: (targeting: Targeting) => Reviewed;
  /** Replaces the draft with another targeting, as a change of what is saved. */
  replace: (targeting: Targeting, saved: SavedTargeting, comment: string) => void;
  /** Starts over after the draft that was sent was saved or became an approval request. What was typed meanwhile is kept. */
  finish: (saved: SavedTargeting, sent: Draft) => void;
}

interface DraftOptions {
  address: string;
  /** `New checkout in Production` */
  title: string;
  audiences: AudienceNames;
}

export function useDraft(saved: SavedTargeting, { address, title, audiences }: DraftOptions): DraftState {
  const { user } = useSession();
  const key = draftKey(user.id, address);
  const [stored] = useState(() => loadDraft(user.id, key));
  const [current, setCurrent] = useState(() => stored ?? draftFrom(saved));
  const [discarded, setDiscarded] = useState<StoredDraft>();
  const changes = useChanges(current, audiences);
  const dirty = useIsDirty(current, saved);
  useLeaveWarning({ dirty, title, address });

  // Without unsaved changes, the page follows what is saved. With them, it follows the switch, which is above them on the page.
  const isOutdated = saved.version !== current.base.version;
  const follows = isOutdated && (!dirty || differOnlyInSwitch(current.base, saved));
  useEffect(() => {
    if (!follows) return;
    setCurrent((old) => {
      if (!dirty) return { ...draftFrom(saved), comment: old.comment };
      return { ...old, base: saved, draft: { ...old.draft, enabled: saved.enabled } };
    });
  }, [follows, dirty, saved]);

  useEffect(() => {
    if (dirty) storeDraft(key, current);
    else deleteDraft(key);
  }, [dirty, key, current]);

  const update = useCallback(
    (change: (draft: Draft) => Draft) => setCurrent((old) => ({ ...old, draft: change(old.draft) })),
    [],
  );
  const setComment = useCallback((comment: string) => setCurrent((old) => ({ ...old, comment })), []);
  return {
    ...{ draft: current.draft, comment: current.comment, base: current.base, update, setComment, dirty, changes },
    outdated: dirty && isOutdated && !follows,
    restored: stored !== undefined,
    discard: (from) => {
      setDiscarded(current);
      setCurrent(draftFrom(from));
    },
    canUndoDiscard: !dirty && discarded !== undefined,
    undoDiscard: () => {
      if (discarded) setCurrent(discarded);
      setDiscarded(undefined);
    },
    rebase: () => setCurrent((old) => rebased(old, saved)),
    onTopOf: useOnTopOf(current, audiences),
    replace: (targeting, base, comment) => setCurrent(replacement(targeting, base, comment)),
    finish: (from, sent) => {
      setDiscarded(undefined);
      setCurrent((old) => (old.draft === sent ? draftFrom(from) : rebased({ ...old, comment: "" }, from)));
    },
  };
}

function useChanges({ base, ids, draft }: StoredDraft, audiences: AudienceNames): readonly Change[] {
  return useMemo(() => changesOf({ base, ids, draft }, audiences), [base, ids, draft, audiences]);
}

function useOnTopOf({ base, ids, draft }: StoredDraft, audiences: AudienceNames): DraftState["onTopOf"] {
  return useCallback(
    (targeting) => {
      const edit = onTopOf(targeting, { base, ids, draft });
      return { ...edit, changes: changesOf(edit, audiences) };
    },
    [base, ids, draft, audiences],
  );
}

function changesOf({ base, ids, draft }: Edit, audiences: AudienceNames): readonly Change[] {
  const draftIds = draft.rules.map(({ id }) => id);
  return changesBetween([base, toTargeting(draft)], audiences, pairById(ids, draftIds));
}

/** An invalid draft counts as changed, even if its valid parts are as saved. */
function useIsDirty({ base, draft }: StoredDraft, saved: SavedTargeting): boolean {
  const isInvalid = useMemo(() => Object.keys(findViolations(draft)).length > 0, [draft]);
  const targeting = useMemo(() => toTargeting(draft), [draft]);
  return isInvalid || (!sameTargeting(targeting, base) && !sameTargeting(targeting, saved));
}
