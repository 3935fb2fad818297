// What is to be known before a copy: approvals, audiences that are written inline, pipelines.
import { Fragment, type ReactNode } from "react";
import { Banner } from "../../parts/feedback/banner.js";
import { type ComparedEnvironment, type ComparedFeature, isGated } from "./comparison.js";
import type { Settings } from "./copy.js";

interface CopyWarningsProps {
  source: ComparedEnvironment;
  target: ComparedEnvironment;
  features: readonly ComparedFeature[];
  settings: Settings;
}

export function CopyWarnings({ source, target, features, settings }: CopyWarningsProps) {
  const gated = features.filter(isGated);
  const inline = settings.rules ? features.filter(({ chips }) => chips.audiencesCopiedInline) : [];
  const managed = features.filter(({ chips }) => chips.pipeline);
  const audiences = new Map(
    inline.flatMap(({ chips }) => (chips.audiencesCopiedInline?.audiences ?? []).map(({ key, name }) => [key, name])),
  );
  const pipelines = new Map(managed.map(({ chips }) => [chips.pipeline?.key, chips.pipeline?.name ?? ""]));
  const into = <Name>{target.name}</Name>;
  return (
    <>
      {gated.length > 0 && gated.length === features.length && (
        <Banner tone="note">
          {features.length === 1 ? "This feature needs approval" : "All of these features need approval"}: nothing
          changes in {into} until somebody else approves.
        </Banner>
      )}
      {gated.length > 0 && gated.length < features.length && (
        <Banner tone="warn">
          Only {gated.length} of {features.length} features {gated.length === 1 ? "needs" : "need"} approval, and{" "}
          {gated.length === 1 ? "waits" : "wait"} for it: <Names features={gated} />. The others change in {into} at
          once.
        </Banner>
      )}
      {inline.length > 0 && (
        <Banner tone="note">
          Audience copied inline, in <Names features={inline} />: <Listed names={[...audiences.values()]} />{" "}
          {audiences.size === 1 ? "is" : "are"} there in <Name>{source.name}</Name> alone. The copied rules have the
          conditions themselves: they evaluate the same in {into}, and are no longer linked to the saved audience.
        </Banner>
      )}
      {managed.length > 0 && (
        <Banner tone="note">
          {managed.length === 1 ? "In a pipeline" : "In pipelines"} (<Listed names={[...pipelines.values()]} />
          ): <Names features={managed} />. The copy sets the target’s targeting outright and does not advance the
          pipeline.
        </Banner>
      )}
    </>
  );
}

function Name({ children }: { children: string }) {
  return (
    <strong>
      <bdi>{children}</bdi>
    </strong>
  );
}

/** As many names as a sentence bears; the list below has them all. */
const NAMED = 5;

function Names({ features }: { features: readonly ComparedFeature[] }) {
  return <Listed names={features.map(({ name }) => name)} />;
}

function Listed({ names }: { names: readonly string[] }): ReactNode {
  const more = names.length - NAMED;
  return (
    <>
      {names.slice(0, NAMED).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name
        <Fragment key={index}>
          {index > 0 && ", "}
          <Name>{name}</Name>
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}
