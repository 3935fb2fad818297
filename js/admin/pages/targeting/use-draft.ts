// The draft of the page: what is typed, what it was begun from, and what somebody else has saved meanwhile.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSession } from "../../api/session.js";
import { toast } from "../../parts/feedback/toast.js";
import { type Change, changesOf, pairsById } from "./changes.js";
import { type Draft, type Saved, sameTargeting, toDraft, toTargeting } from "./draft.js";
import { flawsOf } from "./flaws.js";
import { draftKey, forget, type Kept, keep, recall } from "./kept-drafts.js";
import type { AudienceNames } from "./words.js";

function begin(saved: Saved): Kept {
  const draft = toDraft(saved);
  return { base: saved, ids: draft.rules.map(({ id }) => id), draft, comment: "" };
}

export interface DraftState {
  draft: Draft;
  comment: string;
  /** The version that it was begun from, or that the person has looked at since. */
  base: Saved;
  update: (change: (draft: Draft) => Draft) => void;
  setComment: (comment: string) => void;
  /** Something is typed that is not saved. */
  dirty: boolean;
  changes: readonly Change[];
  /** Somebody else has saved something else since. */
  overtaken: boolean;
  /** It was found in this tab when the page opened. */
  found: boolean;
  /** Begins again from what is saved; what was typed can be brought back. */
  startOver: (saved: Saved) => void;
  /** What `startOver` has put aside. */
  aside: Kept | undefined;
  bringBack: () => void;
  /** Goes on with what was typed, over what is saved now. */
  rebase: () => void;
  /** It is saved, or has become a request. */
  settle: (saved: Saved) => void;
}

export function useDraft(
  saved: Saved,
  { address, title, audiences }: { address: string; title: string; audiences: AudienceNames },
): DraftState {
  const { user } = useSession();
  const key = draftKey(user.id, address);
  const [recalled] = useState(() => recall(user.id, key));
  const [kept, setKept] = useState(() => recalled ?? begin(saved));
  const [aside, setAside] = useState<Kept>();

  const targeting = useMemo(() => toTargeting(kept.draft), [kept.draft]);
  const changes = useMemo(() => {
    const after = kept.draft.rules.map(({ id }) => id);
    return changesOf([kept.base, targeting], audiences, pairsById(kept.ids, after));
  }, [kept, targeting, audiences]);
  const unfinished = useMemo(() => Object.keys(flawsOf(kept.draft)).length > 0, [kept.draft]);
  const dirty = unfinished || (!sameTargeting(targeting, kept.base) && !sameTargeting(targeting, saved));
  const overtaken = dirty && saved.version !== kept.base.version;

  // Nothing of one's own: what is shown follows what is saved.
  useEffect(() => {
    if (!dirty && saved.version !== kept.base.version) setKept((old) => ({ ...begin(saved), comment: old.comment }));
  }, [dirty, saved, kept.base.version]);

  useEffect(() => {
    if (dirty) keep(key, kept);
    else forget(key);
  }, [dirty, key, kept]);

  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [dirty]);

  const leaving = useRef({ dirty, title, address });
  leaving.current = { dirty, title, address };
  useEffect(
    () => () => {
      const { dirty, title, address } = leaving.current;
      if (!dirty) return;
      toast({
        tone: "note",
        text: `Your changes of ${title} are not saved. They are kept in this tab.`,
        link: { href: address, label: "Go back" },
      });
    },
    [],
  );

  const update = useCallback((change: (draft: Draft) => Draft) => {
    setKept((old) => ({ ...old, draft: change(old.draft) }));
  }, []);
  const setComment = useCallback((comment: string) => setKept((old) => ({ ...old, comment })), []);
  const settle = (now: Saved) => {
    setAside(undefined);
    setKept(begin(now));
  };
  return {
    ...{ draft: kept.draft, comment: kept.comment, base: kept.base, update, setComment, dirty, changes, overtaken },
    found: recalled !== undefined,
    startOver: (now) => {
      setAside(kept);
      setKept(begin(now));
    },
    aside: dirty ? undefined : aside,
    bringBack: () => {
      if (aside) setKept(aside);
      setAside(undefined);
    },
    rebase: () => {
      // Rules that are alike on both sides keep being the same rule.
      setKept((old) => ({ ...old, base: saved, ids: idsFor(saved, old) }));
    },
    settle,
  };
}

/** The rules of what is saved now, as rules of the draft: by place among those that it was begun from, by likeness. */
function idsFor(saved: Saved, { draft, ids }: Kept): string[] {
  const fresh = toDraft(saved);
  const mine = toTargeting(draft).rules;
  const taken = new Set<string>();
  return toTargeting(fresh).rules.map((rule, index) => {
    const alike = mine.findIndex(
      (own, place) =>
        !taken.has(draft.rules[place]?.id ?? "") &&
        (JSON.stringify(own) === JSON.stringify(rule) || (Boolean(own.name) && own.name === rule.name)),
    );
    const id = draft.rules[alike]?.id ?? ids[index] ?? fresh.rules[index]?.id ?? String(index);
    if (taken.has(id)) return fresh.rules[index]?.id ?? String(index);
    taken.add(id);
    return id;
  });
}
