// The first run: from a project over its first feature to the first connection, which it shows as it comes.
// What is done follows from what exists, so each step can be left and continued.
import { type ReactNode, useState } from "react";
import { useParams } from "wouter";
import { useProjects } from "../../api/projects.js";
import { useSession } from "../../api/session.js";
import { LinkButton } from "../../parts/button/button.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { Page } from "../../parts/layout/page.js";
import { type Step as Name, type SetUp, STEPS, useSetUp } from "../../parts/set-up/use-set-up.js";
import { hasRole } from "../../roles.js";
import { Connect } from "./connect-step.js";
import { FeatureForm } from "./feature-step.js";
import { ProjectForm } from "./project-step.js";
import { Step, type StepState } from "./step.js";
import { SwitchOn } from "./switch-step.js";
import { WhoCan } from "./who-can.js";

const NOTHING: SetUp = {
  environments: [],
  ...{ environment: undefined, feature: undefined, state: undefined, usedKey: undefined },
  step: "project",
};

export function Component() {
  const { project } = useParams();
  return project === undefined ? (
    <StartPage>
      <Steps project={undefined} setUp={NOTHING} />
    </StartPage>
  ) : (
    <ProjectStart key={project} project={project} />
  );
}

function ProjectStart({ project }: { project: string }) {
  const { data, failed, retry } = useSetUp(project, true);
  return (
    <StartPage project={project}>
      {failed ? (
        <ErrorState error={failed.error} onRetry={retry} />
      ) : data ? (
        <Steps project={project} setUp={data} />
      ) : (
        <div className="skeletons" aria-busy="true">
          <Skeleton width="100%" height="4rem" />
          <Skeleton width="100%" height="16rem" />
        </div>
      )}
    </StartPage>
  );
}

function StartPage({ project, children }: { project?: string; children: ReactNode }) {
  return (
    <Page
      title="Get started"
      description="Four steps from an empty project to a feature that your code reads. You can leave at any time and continue here."
      actions={project !== undefined && <LinkButton href={`/projects/${project}/features`}>All features</LinkButton>}
    >
      {children}
    </Page>
  );
}

interface StepsProps {
  /** The key; undefined if it is to be created. */
  project: string | undefined;
  setUp: SetUp;
}

function Steps({ project, setUp }: StepsProps) {
  const stateOf = (step: Name): StepState => {
    const distance = STEPS.indexOf(step) - STEPS.indexOf(setUp.step);
    return distance < 0 ? "done" : distance === 0 ? "current" : "upcoming";
  };
  return (
    <ol className="start-steps">
      <ProjectStep project={project} setUp={setUp} state={stateOf("project")} />
      <FeatureAndCode project={project ?? ""} setUp={setUp} stateOf={stateOf} />
      <Step
        number={4}
        title="Switch it on for everyone"
        state={stateOf("switch")}
        summary="One switch: connected pages show the change without a reload."
      >
        {stateOf("switch") !== "upcoming" && <SwitchOn project={project ?? ""} setUp={setUp} />}
      </Step>
    </ol>
  );
}

function ProjectStep({ project, setUp, state }: StepsProps & { state: StepState }) {
  const { user } = useSession();
  const name = useProjects().data?.find(({ key }) => key === project)?.name ?? project;
  const canManage = hasRole(user.role, "administrator");
  const summary = (
    <>
      <bdi>{name}</bdi>, with <Names names={setUp.environments.map(({ name }) => name)} />
    </>
  );
  return (
    <Step number={1} title="Create a project" state={state} summary={summary}>
      {state === "current" && (canManage ? <ProjectForm existing={project} /> : <WhoCan what="create projects" />)}
    </Step>
  );
}

interface FeatureAndCodeProps {
  project: string;
  setUp: SetUp;
  stateOf: (step: Name) => StepState;
}

function FeatureAndCode({ project, setUp, stateOf }: FeatureAndCodeProps) {
  const { user } = useSession();
  const [submitted, setSubmitted] = useState(false);
  const { feature, environment } = setUp;
  const canCreate = hasRole(user.role, "editor");
  return (
    <>
      <Step
        number={2}
        title="Create the first feature"
        state={stateOf("feature")}
        summary={feature ? <FeatureSummary {...feature} /> : "A name, and the variants that your code chooses between."}
      >
        {stateOf("feature") === "current" &&
          (canCreate ? (
            <FeatureForm project={project} onSubmit={() => setSubmitted(true)} />
          ) : (
            <p className="explanation">Your role is read-only. An editor can create it.</p>
          ))}
      </Step>
      <Step
        number={3}
        title="Connect your code"
        state={stateOf("connect")}
        summary="Code to copy for a page, React, Node and curl, with a key filled in."
        takesFocus={submitted && stateOf("connect") === "current"}
      >
        {feature && environment && <Connect {...{ project, feature, environment }} usedKey={setUp.usedKey} />}
      </Step>
    </>
  );
}

function FeatureSummary({ name, variants }: { name: string; variants: readonly string[] }) {
  return (
    <>
      <bdi>{name}</bdi>, with the variants <Names names={variants} />
    </>
  );
}

/** `Development, Staging and Production` */
function Names({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && (index === names.length - 1 ? " and " : ", ")}
      <bdi>{name}</bdi>
    </span>
  ));
}
