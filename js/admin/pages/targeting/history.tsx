// The history of the feature in this environment, from the audit log: who, when, what, and before and after.
import { useInfiniteQuery } from "@tanstack/react-query";
import { client } from "../../api/client.js";
import { ApiError, problemOf } from "../../api/problem.js";
import type { components } from "../../api/schema.js";
import { Button } from "../../parts/button/button.js";
import { LineDiff } from "../../parts/display/diff.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Section } from "../../parts/layout/page.js";
import { ChangeList } from "./change-list.js";
import { changesOf } from "./changes.js";
import type { Targeting } from "./draft.js";
import type { Targeted } from "./targeted.js";
import { targetingLines } from "./words.js";

type AuditEntry = components["schemas"]["AuditEntry"];

/** What an entry tells of targeting. */
interface Told {
  comment?: string;
  targetings?: { environmentKey: string; targeting: Targeting }[];
}

const PAGE = 20;
const WHEN = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

function sideOf(told: unknown, environment: string): Targeting | undefined {
  const { targetings } = (told ?? {}) as Told;
  return targetings?.find(({ environmentKey }) => environmentKey === environment)?.targeting;
}

async function read(resource: string, environmentKey: string, cursor: string | undefined, signal: AbortSignal) {
  const query = { resource, environmentKey, limit: PAGE, ...(cursor && { cursor }) };
  const { data, error, response } = await client.GET("/api/v1/audit-log", { params: { query }, signal });
  if (!data) throw new ApiError(problemOf(error, response));
  return data;
}

export function useHistory(project: string, feature: string, environment: string) {
  return useInfiniteQuery({
    queryKey: ["/api/v1/audit-log", "history", project, feature, environment],
    queryFn: ({ pageParam, signal }) =>
      read(`projects/${project}/features/${feature}`, environment, pageParam || undefined, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

export function History({ targeted }: { targeted: Targeted }) {
  const { project, feature, environment } = targeted;
  const history = useHistory(project, feature.key, environment.key);
  const entries = history.data?.pages
    .flatMap(({ items }) => items)
    .filter(({ after }) => sideOf(after, environment.key) !== undefined);
  return (
    <Section title="History">
      {history.isError ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : entries === undefined ? (
        <div aria-busy="true" className="targeting-history">
          {["14rem", "11rem", "16rem"].map((width) => (
            <div key={width} className="targeting-entry">
              <Skeleton width={width} />
            </div>
          ))}
        </div>
      ) : entries.length === 0 ? (
        <p className="targeting-lead">Nothing has been changed here yet.</p>
      ) : (
        <ol className="targeting-history">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} targeted={targeted} />
          ))}
        </ol>
      )}
      {history.hasNextPage && (
        <div>
          <Button isPending={history.isFetchingNextPage} onPress={() => void history.fetchNextPage()}>
            Show older changes
          </Button>
        </div>
      )}
    </Section>
  );
}

const EMPTY: Targeting = { enabled: false, offVariantKey: "off", rules: [] };

function Entry({ entry, targeted }: { entry: AuditEntry; targeted: Targeted }) {
  const { environment, audienceNames } = targeted;
  const before = sideOf(entry.before, environment.key) ?? EMPTY;
  const after = sideOf(entry.after, environment.key) ?? EMPTY;
  const { comment } = (entry.after ?? {}) as Told;
  const changes = changesOf([before, after], audienceNames);
  return (
    <li className="targeting-entry">
      <div className="targeting-entry-head">
        <strong>
          <bdi>{entry.userName}</bdi>
        </strong>
        <time dateTime={entry.at}>{WHEN.format(new Date(entry.at))}</time>
      </div>
      {comment && (
        <blockquote className="targeting-comment">
          <bdi>{comment}</bdi>
        </blockquote>
      )}
      {changes.length > 0 ? (
        <ChangeList changes={changes} label="What changed" />
      ) : (
        <p className="targeting-lead">{entry.before ? "Nothing that users notice." : "The feature was created."}</p>
      )}
      <details>
        <summary>Before and after</summary>
        <LineDiff before={targetingLines(before, audienceNames)} after={targetingLines(after, audienceNames)} />
      </details>
    </li>
  );
}
