// One entry: who did what, the changes in words, and on request what was recorded before and after.
import { useId, useState } from "react";
import { Link } from "wouter";
import { IconButton } from "../../parts/button/button.js";
import { ChangeList } from "../../parts/changes/change-list.js";
import { PhraseText } from "../../parts/changes/phrase-text.js";
import { Diff } from "../../parts/display/diff.js";
import { Icon } from "../../parts/display/icon.js";
import { type Entry, subjectOf } from "./entry.js";
import { changesIn, commentIn, outcomeIn, reasonIn, requestIn } from "./entry-changes.js";
import type { Names } from "./names.js";
import { sentenceOf } from "./sentence.js";

const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

interface EntryItemProps {
  entry: Entry;
  names: Names;
  /** Whether to say in which project it happened. */
  withProject: boolean;
}

export function EntryItem({ entry, names, withProject }: EntryItemProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const at = TIME.format(new Date(entry.at));
  return (
    <li className="audit-log-entry">
      <div className="audit-log-line">
        <p className="audit-log-what">
          <bdi className="audit-log-person">{entry.userName}</bdi> <PhraseText phrase={sentenceOf(entry, names)} />
        </p>
        <time className="audit-log-when" dateTime={entry.at} title={entry.at}>
          {at}
        </time>
        <IconButton
          icon="down"
          label={`Before and after, ${entry.userName}, ${at}`}
          aria-expanded={open}
          aria-controls={id}
          onPress={() => setOpen(!open)}
        />
      </div>
      <Context entry={entry} project={withProject ? projectName(entry, names) : undefined} />
      <Words entry={entry} names={names} />
      <div id={id} className="audit-log-record" hidden={!open}>
        {open && <Recorded entry={entry} />}
      </div>
    </li>
  );
}

function projectName(entry: Entry, names: Names): string | undefined {
  const { project, kind } = subjectOf(entry);
  return project && kind !== "projects" ? names.project(project) : undefined;
}

/** Where it happened, and at whose request. */
function Context({ entry, project }: { entry: Entry; project: string | undefined }) {
  const request = requestIn(entry);
  if (!project && !request) return null;
  return (
    <p className="audit-log-context">
      {project && <bdi>{project}</bdi>}
      {request && (
        <span>
          Requested by <bdi>{request.requester}</bdi>, <Link href={request.href}>view request</Link>
        </span>
      )}
    </p>
  );
}

function Words({ entry, names }: { entry: Entry; names: Names }) {
  const [reason, comment, outcome] = [reasonIn(entry), commentIn(entry), outcomeIn(entry)];
  const changes = changesIn(entry, names);
  return (
    <>
      {reason && (
        <p className="audit-log-reason">
          <Icon name="warning" />
          <span>
            <strong>Reason:</strong> <bdi>{reason}</bdi>
          </span>
        </p>
      )}
      {comment && (
        <blockquote className="audit-log-comment">
          <bdi>{comment}</bdi>
        </blockquote>
      )}
      {outcome && <p className="audit-log-context">{outcome}</p>}
      {changes.length > 0 && <ChangeList changes={changes} label="Changes" />}
    </>
  );
}

function Recorded({ entry: { before, after, action, resource } }: { entry: Entry }) {
  return (
    <>
      {before || after ? (
        <Diff before={before ?? undefined} after={after ?? undefined} />
      ) : (
        <p>No details were recorded.</p>
      )}
      <p className="audit-log-facts">
        <code>{action}</code>
        <code>{resource}</code>
      </p>
    </>
  );
}
