// Chips about copying a feature: its pipeline, approvals, inline audiences, scheduled changes, and whether it can be copied.
import { type ReactNode, useId } from "react";
import { Button } from "react-aria-components/Button";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { Link } from "wouter";
import { Chip, type Tone } from "../../parts/display/chip.js";
import { Icon, type IconName } from "../../parts/display/icon.js";
import { formatTime } from "../../parts/display/time.js";
import type { ComparedEnvironment, ComparedFeature, Difference } from "./comparison.js";

interface FeatureChipsProps {
  project: string;
  feature: ComparedFeature;
  source: ComparedEnvironment;
  target: ComparedEnvironment;
}

export function FeatureChips({ project, feature: { chips, differences }, source, target }: FeatureChipsProps) {
  const { pipeline, approvalRequired, audiencesCopiedInline, changesScheduled, cannotCopy } = chips;
  const nextChange = changesScheduled?.changes[0];
  const gates = {
    environment: `environment ${target.name}`,
    feature: "the feature",
    phase: `its pipeline phase in ${target.name}`,
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
        <ChipWithNote
          tone="accent"
          icon="approvals"
          label="Approval required"
          note={`Approval to copy to ${target.name} is required by ${approvalRequired.reasons
            .map((gate) => gates[gate])
            .join(" and ")}.`}
        />
      )}
      {audiencesCopiedInline && (
        <ChipWithNote
          tone="note"
          icon="audiences"
          label="Audience copied inline"
          note={inlineNote(
            source,
            audiencesCopiedInline.audiences.map(({ name }) => name),
            differences,
          )}
        />
      )}
      {nextChange && (
        <ChipWithNote
          tone="note"
          icon="information"
          label="Changes scheduled"
          note={`The next in ${target.name} is due ${formatTime(nextChange.scheduledFor)}. A copy that is applied before makes it stale.`}
          link={<Link href={`/projects/${project}/approvals/${nextChange.approvalId}`}>View scheduled change</Link>}
        />
      )}
      {cannotCopy && (
        <ChipWithNote
          tone="bad"
          icon="warning"
          label="Cannot copy"
          note={cannotCopy.reason}
          link={<Link href={`/projects/${project}/approvals/${cannotCopy.approvalId}`}>View pending change</Link>}
        />
      )}
    </>
  );
}

interface ChipWithNoteProps {
  tone: Tone;
  icon: IconName;
  label: string;
  note: string;
  link?: ReactNode;
}

function inlineNote(
  source: ComparedEnvironment,
  audiences: readonly string[],
  differences: readonly Difference[],
): string {
  const only = `Only in ${source.name}: ${audiences.join(", ")}.`;
  return differences.includes("Targeting rules") ? `${only} The copied rule will contain the conditions.` : only;
}

/** Shows the note when pressed. Screen readers read it as the chip's description. */
function ChipWithNote({ tone, icon, label, note, link }: ChipWithNoteProps) {
  const id = useId();
  return (
    <>
      <DialogTrigger>
        <Button className={`chip chip-${tone} compare-chip`} aria-describedby={id}>
          <Icon name={icon} size={12} />
          {label}
        </Button>
        <Popover className="popover" placement="bottom start">
          <Dialog className="compare-note" aria-label={label}>
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
