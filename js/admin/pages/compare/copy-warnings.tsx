// Warnings before a copy, about approvals, scheduled changes, experiments, audiences that are copied inline, and pipelines.
import { Fragment } from "react";
import type { Experiment } from "../../parts/feature/use-experiments.js";
import { Banner } from "../../parts/feedback/banner.js";
import { type ComparedEnvironment, type ComparedFeature, needsApproval } from "./comparison.js";
import { copiedDifferences, type Settings } from "./copy.js";

interface CopyWarningsProps {
  source: ComparedEnvironment;
  target: ComparedEnvironment;
  experiments: readonly Experiment[] | undefined;
  features: readonly ComparedFeature[];
  settings: Settings;
  isScheduled: boolean;
}

export function CopyWarnings({ source, target, experiments, features, settings, isScheduled }: CopyWarningsProps) {
  return (
    <>
      <ApprovalWarning target={target} features={features} isScheduled={isScheduled} />
      <ScheduledWarning {...{ target, features, settings, isScheduled }} />
      <ExperimentWarning {...{ target, experiments, features, settings }} />
      {settings.rules && <InlineAudienceWarning source={source} target={target} features={features} />}
      <PipelineWarning features={features} />
    </>
  );
}

function ApprovalWarning({
  target,
  features,
  isScheduled,
}: Pick<CopyWarningsProps, "target" | "features" | "isScheduled">) {
  const gated = features.filter(needsApproval);
  if (gated.length === 0) return null;
  if (gated.length === features.length) {
    return (
      <Banner tone="note">
        {features.length === 1 ? "This feature needs approval." : "All of these features need approval."} Nothing
        changes in <Name>{target.name}</Name> until another person approves
        {isScheduled && ", and not before the time below"}.
      </Banner>
    );
  }
  return (
    <Banner tone="warn">
      Only {gated.length} of {features.length} features {gated.length === 1 ? "needs" : "need"} approval:{" "}
      <Names names={namesOf(gated)} />. The others change in <Name>{target.name}</Name>{" "}
      {isScheduled ? "at the time below" : "immediately"}.
    </Banner>
  );
}

/** As on the page of a feature: a change that is scheduled is made for the targeting as it is now. */
function ScheduledWarning({
  target,
  features,
  settings,
  isScheduled,
}: Omit<CopyWarningsProps, "source" | "experiments">) {
  const affected = features.filter(
    (feature) => feature.chips.changesScheduled && copiedDifferences(feature, settings).length > 0,
  );
  if (affected.length === 0) return null;
  return (
    <Banner tone={isScheduled ? "note" : "warn"}>
      Changes are scheduled in <Name>{target.name}</Name> for <Names names={namesOf(affected)} />.{" "}
      {isScheduled
        ? "The copy builds on them if they are due before it. A feature with a later one is skipped."
        : "They become stale when the copy is applied, and are not made."}
    </Banner>
  );
}

function ExperimentWarning({
  target,
  experiments,
  features,
  settings,
}: Omit<CopyWarningsProps, "source" | "isScheduled">) {
  const running = new Set(experiments?.filter(({ state }) => state === "running").map(({ featureKey }) => featureKey));
  const affected = features.filter(
    (feature) => running.has(feature.key) && copiedDifferences(feature, settings).length > 0,
  );
  if (affected.length === 0) return null;
  return (
    <Banner tone="warn">
      An experiment is running in <Name>{target.name}</Name> with <Names names={namesOf(affected)} />. The copy changes
      the targeting, and would mix two splits.
    </Banner>
  );
}

function InlineAudienceWarning({
  source,
  target,
  features,
}: Pick<CopyWarningsProps, "source" | "target" | "features">) {
  // Rules that are the same stay as they are.
  const affected = features.filter(
    ({ chips, differences }) => chips.audiencesCopiedInline && differences.includes("Targeting rules"),
  );
  if (affected.length === 0) return null;
  const audiences = new Map(
    affected.flatMap(({ chips }) => (chips.audiencesCopiedInline?.audiences ?? []).map(({ key, name }) => [key, name])),
  );
  return (
    <Banner tone="note">
      Audience copied inline in <Names names={namesOf(affected)} />: <Names names={[...audiences.values()]} />{" "}
      {audiences.size === 1 ? "exists" : "exist"} only in <Name>{source.name}</Name>. The copied rules contain the
      conditions. They evaluate the same in <Name>{target.name}</Name>, but are no longer linked to the saved audience.
    </Banner>
  );
}

function PipelineWarning({ features }: Pick<CopyWarningsProps, "features">) {
  const managed = features.filter(({ chips }) => chips.pipeline);
  if (managed.length === 0) return null;
  const pipelines = new Map(managed.map(({ chips }) => [chips.pipeline?.key, chips.pipeline?.name ?? ""]));
  return (
    <Banner tone="note">
      {managed.length === 1 ? "In a pipeline" : "In pipelines"} (<Names names={[...pipelines.values()]} />
      ): <Names names={namesOf(managed)} />. The copy sets the target's targeting outright and does not advance the
      pipeline.
    </Banner>
  );
}

function namesOf(features: readonly ComparedFeature[]): string[] {
  return features.map(({ name }) => name);
}

function Name({ children }: { children: string }) {
  return (
    <strong>
      <bdi>{children}</bdi>
    </strong>
  );
}

/** The dialog lists all features below. */
const MAX_NAMES = 5;

function Names({ names }: { names: readonly string[] }) {
  const more = names.length - MAX_NAMES;
  return (
    <>
      {names.slice(0, MAX_NAMES).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may not be unique
        <Fragment key={index}>
          {index > 0 && ", "}
          <Name>{name}</Name>
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}
