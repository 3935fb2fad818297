// Two environments side by side, and what is copied from one to the other.
import { useEffect } from "react";
import { useParams } from "react-router";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { SegmentedControl } from "../../parts/choice/segmented-control.js";
import { Chip } from "../../parts/display/chip.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Page } from "../../parts/layout/page.js";
import { Compared } from "./compared.js";
import { type Comparison, useComparison, useEnvironments, usualPair } from "./comparison.js";
import { Pair } from "./pair.js";
import { useView } from "./view.js";
import { WhyNoCopy } from "./why-no-copy.js";

const SHOWN = [
  { key: "different", label: "Different only" },
  { key: "all", label: "All features" },
];

export function Component() {
  const { project = "" } = useParams();
  const { user } = useSession();
  const [view, setView] = useView();
  const environments = useEnvironments(project);
  const { source, target } = view;
  const comparison = useComparison(project, source, target);

  // Nobody has said which two: those that people compare most, so that the address says what is shown.
  useEffect(() => {
    const pair = environments.data && usualPair(environments.data);
    if (pair && !source && !target) setView(pair);
  }, [environments.data, source, target, setView]);

  const failed = environments.isError ? environments : comparison.isError ? comparison : undefined;
  const into = environments.data?.find(({ key }) => key === target);
  const tooFew = environments.data !== undefined && environments.data.length < 2;
  return (
    <Page
      title="Compare environments"
      badges={
        <Counts comparison={comparison.data?.value} waiting={!failed && !tooFew && !(source && source === target)} />
      }
    >
      {tooFew ? (
        <EmptyState icon="environments" title="There are no two environments">
          A comparison takes two of them. This project has {environments.data?.length === 1 ? "one" : "none"}.
        </EmptyState>
      ) : (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a group of filters is no fieldset */}
          <div className="compare-tools" role="group" aria-label="What is compared">
            <Pair environments={environments.data} source={source} target={target} onChange={setView} />
            <SegmentedControl
              label="Which features"
              choices={SHOWN}
              value={view.all ? "all" : "different"}
              onChange={(key) => setView({ all: key === "all" })}
            />
            <SearchField label="Find a feature" value={view.search} onChange={(search) => setView({ search })} />
          </div>
          <p className="compare-target">
            {into && (
              <>
                A copy goes into{" "}
                {into.production ? (
                  <span className="compare-production">
                    <bdi>{into.name}</bdi>, a production environment
                  </span>
                ) : (
                  <bdi>{into.name}</bdi>
                )}
                . <WhyNoCopy role={user.role} target={into} />
              </>
            )}
          </p>
          {failed ? (
            <ErrorState
              error={failed.error}
              onRetry={() =>
                void Promise.all([environments.refetch(), ...(source && target ? [comparison.refetch()] : [])])
              }
            />
          ) : source && source === target ? (
            <EmptyState
              icon="compare"
              title="Source and target are the same"
              action={
                <Button onPress={() => setView({ source: undefined, target: undefined })}>Choose the usual two</Button>
              }
            >
              Pick another environment on one of the two sides.
            </EmptyState>
          ) : !environments.data ? (
            // Whether there are ticks is known with them.
            <div aria-busy="true">
              <Skeleton width="100%" height="30rem" />
            </div>
          ) : (
            <Compared
              key={`${source} ${target}`}
              project={project}
              comparison={comparison.data?.value}
              target={into}
              view={view}
              onView={setView}
            />
          )}
        </>
      )}
    </Page>
  );
}

function Counts({ comparison, waiting }: { comparison: Comparison | undefined; waiting: boolean }) {
  if (!comparison) return waiting ? <Skeleton width="10rem" height="1.25rem" /> : null;
  return (
    <span className="compare-counts" role="status">
      <Chip tone={comparison.different > 0 ? "warn" : "plain"}>
        {comparison.different.toLocaleString("en")} different
      </Chip>
      <Chip>{comparison.identical.toLocaleString("en")} identical</Chip>
    </span>
  );
}
