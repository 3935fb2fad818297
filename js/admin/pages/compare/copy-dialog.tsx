// Before a copy: what is copied where, and what is to be known of it. After it: what became of each feature.
import { useState } from "react";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { Chip, ProductionChip } from "../../parts/display/chip.js";
import { Banner } from "../../parts/feedback/banner.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { type ComparedEnvironment, type ComparedFeature, isGated } from "./comparison.js";
import { type CopyResult, changes, chosen, copyOf, SETTINGS, type Settings, type useCopy } from "./copy.js";
import { CopyOutcomes } from "./copy-outcomes.js";
import { CopyWarnings } from "./copy-warnings.js";

interface CopyDialogProps {
  project: string;
  source: ComparedEnvironment;
  target: ComparedEnvironment;
  /** As they were seen when the dialog opened, whatever the comparison has become since. */
  features: readonly ComparedFeature[];
  settings: Settings;
  comment: string;
  onComment: (comment: string) => void;
  copy: ReturnType<typeof useCopy>;
  onCopied: () => void;
  onClose: () => void;
}

export function CopyDialog(props: CopyDialogProps) {
  const { project, source, target, features, copy, onClose } = props;
  const [result, setResult] = useState<CopyResult>();
  const close = () => {
    copy.reset();
    onClose();
  };
  const send = async () => {
    const answer = await copy.run(copyOf([source.key, target.key], features, props.settings, props.comment));
    if (!answer) return;
    setResult(answer);
    props.onCopied();
  };
  const gated = features.filter(isGated).length;
  const count = features.length === 1 ? "1 feature" : `${features.length.toLocaleString("en")} features`;
  const asks = gated === features.length;
  const title = result
    ? "Result of the copy"
    : `${asks ? `Request approval to copy ${count}` : `Copy ${count}`} to ${target.name}?`;
  return (
    <Dialog title={title} onClose={close} role="alertdialog" wide>
      {result ? (
        <>
          <DialogBody>
            <CopyOutcomes project={project} features={features} target={target} result={result} />
          </DialogBody>
          <DialogButtons>
            <Button kind="primary" autoFocus onPress={close}>
              Done
            </Button>
          </DialogButtons>
        </>
      ) : (
        <Form problem={copy.problem} onSubmit={() => void send()}>
          <DialogBody>
            <Way source={source} target={target} />
            {target.production && (
              <Banner tone="warn">
                <strong>
                  <bdi>{target.name}</bdi>
                </strong>{" "}
                is a production environment.{" "}
                {asks
                  ? "Its users notice once the change is approved."
                  : "Its users get what is copied at once, as far as no approval holds it."}
              </Banner>
            )}
            <CopyWarnings source={source} target={target} features={features} settings={props.settings} />
            <Chosen settings={props.settings} />
            <FeatureList features={features} settings={props.settings} />
            <TextField
              label="Comment"
              name="comment"
              lines={2}
              value={props.comment}
              onChange={props.onComment}
              hint={
                gated > 0
                  ? "For those who approve it, and for the audit log. Optional."
                  : "For the audit log. Optional."
              }
            />
          </DialogBody>
          <DialogButtons>
            <Button autoFocus onPress={close}>
              Cancel
            </Button>
            <Button kind="primary" type="submit" isPending={copy.pending}>
              {asks ? "Request approval" : `Copy to ${target.name}`}
            </Button>
          </DialogButtons>
        </Form>
      )}
    </Dialog>
  );
}

function Way({ source, target }: { source: ComparedEnvironment; target: ComparedEnvironment }) {
  return (
    <p className="compare-way">
      From{" "}
      <strong>
        <bdi>{source.name}</bdi>
      </strong>{" "}
      to{" "}
      <strong>
        <bdi>{target.name}</bdi>
      </strong>{" "}
      {target.production && <ProductionChip />}
    </p>
  );
}

/** What is copied; of the rest the target keeps its own. */
function Chosen({ settings }: { settings: Settings }) {
  const kept = SETTINGS.filter(({ name }) => !settings[name]).map(({ label }) => label);
  return (
    <div className="compare-chosen">
      <h3>Settings</h3>
      <p>
        {chosen(settings).join(", ")}
        {kept.length > 0 && <span className="compare-kept">. The target keeps its own: {kept.join(", ")}</span>}
      </p>
    </div>
  );
}

function FeatureList({ features, settings }: { features: readonly ComparedFeature[]; settings: Settings }) {
  return (
    <div className="compare-chosen">
      <h3>Features</h3>
      {/* It may be long, and is then scrolled by keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
      <ul className="compare-list" aria-label="Features to copy" tabIndex={0}>
        {features.map((feature) => (
          <li key={feature.key}>
            <span className="compare-list-name">
              <bdi>{feature.name}</bdi>
              <code>{feature.key}</code>
            </span>
            <span className="compare-list-notes">
              {changes(feature, settings).join(", ") || "Nothing differs in these settings: it will be skipped"}
              {isGated(feature) && <Chip tone="accent">Approval required</Chip>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
