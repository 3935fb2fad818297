// Leads back to the first run of the only project, until it is done.
import { LinkButton } from "../../parts/button/button.js";
import { Section } from "../../parts/layout/page.js";
import { type SetUp, type Step, useSetUp } from "../../parts/set-up/use-set-up.js";
import type { Project } from "./projects.js";

const NEXT: Record<Step, string | undefined> = {
  project: "add environments",
  feature: "create the first feature",
  connect: "connect a page or a service",
  switch: "switch the first feature on",
  done: undefined,
};

/** Below the list, so that it moves nothing when it appears. */
export function ContinueSetUp({ project: { key, name } }: { project: Project }) {
  const { data } = useSetUp(key, false);
  const next = data && !isInUse(data) && NEXT[data.step];
  if (!next) return null;
  return (
    <Section title="Get started" actions={<LinkButton href={`/projects/${key}/start`}>Continue</LinkButton>}>
      <p className="explanation">
        Next step for{" "}
        <strong>
          <bdi>{name}</bdi>
        </strong>
        : {next}.
      </p>
    </Section>
  );
}

/** A project that did not begin here: its features are used in other environments than the one that code connects to first. */
function isInUse({ feature, environment }: SetUp): boolean {
  const elsewhere = feature?.environments?.filter(({ environmentKey }) => environmentKey !== environment?.key);
  return elsewhere?.some(({ enabled }) => enabled) ?? false;
}
