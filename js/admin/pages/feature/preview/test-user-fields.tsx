// The fields of the test user: id, attributes, and the time of the evaluation.
import { Button } from "../../../parts/button/button.js";
import type { AttributeChoice } from "../../../parts/conditions/operators.js";
import { DateTimeField } from "../../../parts/form/date-time-field.js";
import { TextField } from "../../../parts/form/text-field.js";
import { useRowFocus } from "../../../parts/list/use-row-focus.js";
import { AttributeFields } from "./attribute-fields.js";
import { newAttribute, type TestAttribute, type TestUser } from "./preview-request.js";

interface TestUserFieldsProps {
  user: TestUser;
  attributes: readonly AttributeChoice[];
  onChange: (change: (user: TestUser) => TestUser) => void;
}

export function TestUserFields({ user, attributes, onChange }: TestUserFieldsProps) {
  const setAttributes = (change: (attributes: TestAttribute[]) => TestAttribute[]) =>
    onChange((old) => ({ ...old, attributes: change(old.attributes) }));
  const { list, addRow, removeRow } = useRowFocus<HTMLDivElement>(".targeting-attribute");
  const add = () => addRow(() => setAttributes((old) => [...old, newAttribute()]));
  const remove = (index: number) => removeRow(index, () => setAttributes((old) => old.filter((_, at) => at !== index)));
  return (
    <>
      <TextField
        label="User id"
        autoComplete="off"
        mono
        value={user.userId}
        onChange={(userId) => onChange((old) => ({ ...old, userId }))}
        hint="Used to assign a variant in percentage splits."
      />
      <div ref={list} className="targeting-attributes">
        {user.attributes.map((attribute, index) => (
          <AttributeFields
            key={attribute.id}
            attribute={attribute}
            label={attribute.name || `attribute ${index + 1}`}
            choices={attributes}
            onChange={(changed) => setAttributes((old) => old.map((one) => (one.id === changed.id ? changed : one)))}
            onRemove={() => remove(index)}
          />
        ))}
        <div>
          <Button kind="quiet" icon="plus" onPress={add}>
            Add attribute
          </Button>
        </div>
      </div>
      <DateTimeField
        label="Evaluate at"
        value={user.at}
        onChange={(at) => onChange((old) => ({ ...old, at }))}
        emptyHint="Leave empty for now (your time zone)"
      />
    </>
  );
}
