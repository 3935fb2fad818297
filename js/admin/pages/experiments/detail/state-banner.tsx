// What a draft still needs, and what was decided when an experiment was stopped.
import { Link } from "wouter";
import { Banner } from "../../../parts/feedback/banner.js";
import type { Experiment } from "../experiments.js";

interface StateBannerProps {
  experiment: Experiment;
  /** The address of the feature's targeting. */
  targeting: string;
}

export function StateBanner({ experiment: { state, decisionVariantKey, note }, targeting }: StateBannerProps) {
  if (state === "running") return null;
  const link = <Link href={targeting}>View targeting</Link>;
  if (state === "draft") {
    return (
      <Banner tone="note" actions={link}>
        Nothing is measured yet. Before you start, check that a rule of the feature splits the users.
      </Banner>
    );
  }
  return (
    <Banner tone="note" actions={link}>
      {decisionVariantKey ? (
        <>
          Decision: keep{" "}
          <strong>
            <bdi>{decisionVariantKey}</bdi>
          </strong>
          . Targeting has stayed as it was: serve the variant to everyone there.
        </>
      ) : (
        "Stopped without a decision. Targeting has stayed as it was."
      )}
      {note && (
        <div className="experiments-note">
          <bdi>{note}</bdi>
        </div>
      )}
    </Banner>
  );
}
