// The tags of a feature.
import { TagField, TEXT } from "../form/tag-field.js";

interface TagsFieldProps {
  tags: readonly string[];
  onChange: (tags: string[]) => void;
}

export function TagsField({ tags, onChange }: TagsFieldProps) {
  return (
    <TagField
      label="Tags"
      name="tags"
      isRequired={false}
      kind={TEXT}
      separator="comma"
      values={tags}
      onChange={onChange}
      hint="Separated by commas or Enter."
    />
  );
}
