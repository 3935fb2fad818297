// What is to be known of a feature before it is copied: chips, whose details open and are spoken.
import { type ReactNode, useId } from "react";
import { Button, Dialog, DialogTrigger, Link, Popover } from "react-aria-components";
import { Chip, type Tone } from "../../parts/display/chip.js";
import { Icon, type IconName } from "../../parts/display/icon.js";
import type { ComparedEnvironment, ComparedFeature } from "./comparison.js";

interface FeatureChipsProps {
  project: string;
  feature: ComparedFeature;
  source: ComparedEnvironment;
  target: ComparedEnvironment;
}

export function FeatureChips({ project, feature: { chips }, source, target }: FeatureChipsProps) {
  const { pipeline, approvalRequired, audiencesCopiedInline, cannotCopy } = chips;
  const gates = {
    environment: `the environment ${target.name}`,
    feature: "the feature",
    phase: `its pipeline's phase in ${target.name}`,
  };
  return (
    <>
      {pipeline && (
        <Chip icon="pipelines">
          <span>
            Pipeline: <bdi>{pipeline.name}</bdi>
          </span>
        </Chip>
      )}
      {approvalRequired && (
        <NotedChip
          tone="accent"
          icon="approvals"
          label="Approval required"
          note={`A copy into ${target.name} is held for approval: ${approvalRequired.reasons
            .map((gate) => gates[gate])
            .join(", and ")} requires it.`}
        />
      )}
      {audiencesCopiedInline && (
        <NotedChip
          tone="note"
          icon="audiences"
          label="Audience copied inline"
          note={`${audiencesCopiedInline.audiences.map(({ name }) => name).join(", ")}: there in ${
            source.name
          } alone. The copied rule has the conditions themselves.`}
        />
      )}
      {cannotCopy && (
        <NotedChip
          tone="bad"
          icon="warning"
          label="Cannot copy"
          note={cannotCopy.reason}
          link={<Link href={`/projects/${project}/approvals/${cannotCopy.approvalId}`}>See the change that waits</Link>}
        />
      )}
    </>
  );
}

interface NotedChipProps {
  tone: Tone;
  icon: IconName;
  label: string;
  note: string;
  link?: ReactNode;
}

/** Opens its note when it is pressed; a screen reader says the note with it. */
function NotedChip({ tone, icon, label, note, link }: NotedChipProps) {
  const id = useId();
  return (
    <>
      <DialogTrigger>
        <Button className={`chip chip-${tone} compare-chip`} aria-describedby={id}>
          <Icon name={icon} size={12} />
          {label}
        </Button>
        <Popover className="popover compare-note" placement="bottom start">
          <Dialog className="compare-note-inside" aria-label={label}>
            <p>
              <bdi>{note}</bdi>
            </p>
            {link}
          </Dialog>
        </Popover>
      </DialogTrigger>
      <span id={id} hidden>
        {note}
      </span>
    </>
  );
}
