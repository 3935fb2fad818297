// The fields of a feature that can be edited.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../../api/queries.js";
import { useSession } from "../../../api/session.js";
import { Checkbox } from "../../../parts/choice/checkbox.js";
import { ComboBox } from "../../../parts/choice/combo-box.js";
import { Select } from "../../../parts/choice/select.js";
import { TagsField } from "../../../parts/feature/tags-field.js";
import { VariantsField } from "../../../parts/feature/variants-field.js";
import { TextField } from "../../../parts/form/text-field.js";
import { hasRole } from "../../../roles.js";
import type { Feature, Pipeline } from "../feature.js";

export function editableFields({ name, description, tags, variants, approvalRequired, ...feature }: Feature) {
  const [ownerId, pipelineKey] = [feature.owner?.id ?? null, feature.pipelineKey ?? null];
  return { name, description, tags, ownerId, variants, approvalRequired, pipelineKey };
}

export type EditableFields = ReturnType<typeof editableFields>;

const NO_PIPELINE = "";

interface FeatureFieldsProps {
  fields: EditableFields;
  onChange: (changes: Partial<EditableFields>) => void;
  pipelines: readonly Pipeline[];
  /** Whether the stored feature requires approval, which only administrators can turn off. */
  requiresApproval: boolean;
}

export function FeatureFields({ fields, onChange, pipelines, requiresApproval }: FeatureFieldsProps) {
  const { user } = useSession();
  const canChangeApproval = !requiresApproval || hasRole(user.role, "administrator");
  return (
    <>
      <TextField label="Name" name="name" isRequired value={fields.name} onChange={(name) => onChange({ name })} />
      <TextField
        label="Description"
        name="description"
        isRequired={false}
        lines={3}
        value={fields.description}
        onChange={(description) => onChange({ description })}
      />
      <TagsField tags={fields.tags} onChange={(tags) => onChange({ tags })} />
      <OwnerField ownerId={fields.ownerId} onChange={(ownerId) => onChange({ ownerId })} />
      <VariantsField variants={fields.variants} onChange={(variants) => onChange({ variants })} />
      <Select
        label="Release pipeline"
        name="pipelineKey"
        choices={[{ key: NO_PIPELINE, label: "None" }, ...pipelines.map(({ key, name }) => ({ key, label: name }))]}
        value={fields.pipelineKey ?? NO_PIPELINE}
        onChange={(key) => onChange({ pipelineKey: key || null })}
        hint="Features start in the first phase."
      />
      <Checkbox
        label={
          canChangeApproval
            ? "Require approval for targeting changes"
            : "Require approval for targeting changes. Only administrators can turn this off."
        }
        isSelected={fields.approvalRequired}
        isDisabled={!canChangeApproval}
        onChange={(approvalRequired) => onChange({ approvalRequired })}
      />
    </>
  );
}

interface OwnerFieldProps {
  ownerId: string | null;
  onChange: (ownerId: string | null) => void;
}

function OwnerField({ ownerId, onChange }: OwnerFieldProps) {
  const people = useQuery(wholeList("/api/v1/users")).data;
  // A combo box reads its choices once.
  if (!people) return <ComboBox label="Owner" choices={[]} value={""} onChange={() => {}} isDisabled />;
  return (
    <ComboBox
      label="Owner"
      name="ownerId"
      choices={people.map(({ id, name }) => ({ key: id, label: name }))}
      value={ownerId ?? ""}
      onChange={(id) => onChange(id || null)}
      hint="The person who looks after this feature."
    />
  );
}
