// Adds tags to several features, and removes some.
import { useMemo, useState } from "react";
import { client, ifMatch } from "../../api/client.js";
import { useBulk } from "../../parts/bulk/use-bulk.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { TagField, TEXT } from "../../parts/form/tag-field.js";
import { BulkDialog, countOf } from "./bulk-dialog.js";
import { type Feature, tagsOf } from "./features.js";

interface TagDialogProps {
  project: string;
  features: readonly Feature[];
  onDone: () => void;
  onClose: () => void;
}

export function TagDialog(props: TagDialogProps) {
  const { project, features } = props;
  const [added, setAdded] = useState<string[]>([]);
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const present = useMemo(() => tagsOf(features), [features]);
  const { run, pending, done } = useBulk(({ key }: Feature) =>
    changeTags(project, key, (tags) => [...new Set([...tags.filter((tag) => !removed.has(tag)), ...added])]),
  );
  const setRemovedTag = (tag: string, on: boolean) => {
    const next = new Set(removed);
    if (on) next.add(tag);
    else next.delete(tag);
    setRemoved(next);
  };
  return (
    <BulkDialog
      {...props}
      {...{ pending, done }}
      title={`Change the tags of ${countOf(features)}`}
      confirm="Save"
      isDisabled={added.length === 0 && removed.size === 0}
      doneLabel="Saved"
      run={() => run(features)}
    >
      <TagField
        label="Add"
        name="tags"
        kind={TEXT}
        separator="comma"
        values={added}
        onChange={setAdded}
        hint="Separated by commas or Enter."
      />
      {present.length > 0 && (
        <fieldset className="fieldset">
          <legend className="field-label">Remove</legend>
          <div className="features-remove-tags">
            {present.map((tag) => (
              <Checkbox key={tag} label={tag} isSelected={removed.has(tag)} onChange={(on) => setRemovedTag(tag, on)} />
            ))}
          </div>
        </fieldset>
      )}
    </BulkDialog>
  );
}

const FEATURE = "/api/v1/projects/{projectKey}/features/{featureKey}";

/** Changes the tags that the feature has now: others may have changed them since the list was read, and even since then. */
async function changeTags(project: string, key: string, change: (tags: readonly string[]) => string[]) {
  const path = { projectKey: project, featureKey: key };
  const attempt = async () => {
    const read = await client.GET(FEATURE, { params: { path } });
    if (!read.data) return read;
    const header = ifMatch(read.response.headers.get("etag") ?? undefined);
    return client.PATCH(FEATURE, { params: { path, header }, body: { tags: change(read.data.tags) } });
  };
  const sent = await attempt();
  return sent.response.status === 412 ? attempt() : sent;
}
