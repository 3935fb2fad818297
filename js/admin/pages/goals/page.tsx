// Goals by variant: of one feature in one environment, as bars and as a table.
import { useMemo } from "react";
import { useParams, useSearchParams } from "react-router";
import { ComboBox } from "../../parts/choice/combo-box.js";
import { Select } from "../../parts/choice/select.js";
import { EmptyState, ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page, Section } from "../../parts/layout/page.js";
import { GoalChart } from "./goal-chart.js";
import { GoalTable } from "./goal-table.js";
import { countedBy, featuresOf, useEnvironments, useFeatures, useGoals, variantsOf } from "./goals.js";

export function Component() {
  const { project = "" } = useParams();
  const [address, setAddress] = useSearchParams();
  const environments = useEnvironments(project);
  const features = useFeatures(project);
  const asked = environments.data?.find(({ key }) => key === address.get("environment"));
  // Whoever looks at goals mostly looks at real users.
  const usual = environments.data?.find(({ production }) => production) ?? environments.data?.[0];
  const environment = asked ?? usual;
  const goals = useGoals(project, environment?.key);

  const pick = (changes: Record<string, string>) =>
    setAddress((before) => new URLSearchParams({ ...Object.fromEntries(before), ...changes }), {
      replace: true,
      preventScrollReset: true,
    });
  const choices = useMemo(
    () => (goals.data && features.data ? featuresOf(goals.data, features.data) : []),
    [goals.data, features.data],
  );
  const feature = choices.find(({ key }) => key === address.get("feature")) ?? choices[0];
  const failed = [environments, features, goals].find(({ isError }) => isError);
  const waiting = !environments.data || !features.data || (environment && !goals.data);
  return (
    <Page
      title="Goals"
      description="How often goals were reached, by the variant that users had at that moment. These are counts: a variant that more users get reaches more."
    >
      {/* biome-ignore lint/a11y/useSemanticElements: two pickers are no fieldset */}
      <div className="goals-pickers" role="group" aria-label="What is shown">
        <Select
          label="Environment"
          choices={(environments.data ?? []).map(({ key, name }) => ({ key, label: name }))}
          value={environment?.key ?? null}
          onChange={(environment) => pick({ environment })}
        />
        <ComboBox
          key={`${environment?.key}/${choices.length}`}
          label="Feature"
          choices={choices.map(({ key, name }) => ({ key, label: name, detail: key }))}
          value={feature?.key ?? ""}
          onChange={(feature) => feature && pick({ feature })}
          isDisabled={choices.length === 0}
        />
      </div>
      {failed ? (
        <ErrorState
          error={failed.error}
          onRetry={() => void Promise.all([environments, features, goals].map((query) => query.refetch()))}
        />
      ) : waiting ? (
        <div className="goals-waiting" aria-busy="true">
          <Skeleton width="100%" height="28rem" />
        </div>
      ) : !environment ? (
        <EmptyState icon="environments" title="This project has no environment yet">
          Goals are reached in an environment.
        </EmptyState>
      ) : !feature ? (
        <EmptyState icon="goals" title="No goal was reached here yet">
          Clients report one with <code>goal("purchase")</code>, and it is counted for every feature that the user had.
        </EmptyState>
      ) : (
        <ByVariant
          key={feature.key}
          feature={feature}
          environment={environment.name}
          goals={goals.data ?? []}
          variants={features.data?.find(({ key }) => key === feature.key)?.variants ?? []}
        />
      )}
    </Page>
  );
}

interface ByVariantProps {
  feature: { key: string; name: string };
  environment: string;
  goals: Parameters<typeof countedBy>[0];
  /** In the feature's order. */
  variants: readonly string[];
}

function ByVariant({ feature, environment, goals, variants }: ByVariantProps) {
  const counted = useMemo(() => countedBy(goals, feature.key, variants), [goals, feature.key, variants]);
  const found = useMemo(() => variantsOf(counted, variants), [counted, variants]);
  return (
    <>
      <Section title="By variant">
        <GoalChart counted={counted} variants={found} name={`${feature.name} in ${environment}`} />
      </Section>
      <Section title="The same as a table">
        <GoalTable counted={counted} />
      </Section>
    </>
  );
}
