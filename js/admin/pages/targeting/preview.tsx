// Who would get what: a made-up user, evaluated by the server with the draft as it stands, and the reasons.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Form as AriaForm } from "react-aria-components";
import { problemFrom } from "../../api/problem.js";
import { Button, IconButton } from "../../parts/button/button.js";
import { ComboBox } from "../../parts/choice/combo-box.js";
import { Select } from "../../parts/choice/select.js";
import { DateTimeField } from "../../parts/conditions/date-time-field.js";
import type { AttributeChoice } from "../../parts/conditions/operators.js";
import { Banner } from "../../parts/feedback/banner.js";
import { TextField } from "../../parts/form/text-field.js";
import { Section } from "../../parts/layout/page.js";
import type { Targeting } from "./draft.js";
import { Explanation } from "./explanation.js";
import { type AskedAttribute, askPreview, bodyOf, newAttribute, type Question, withinTargeting } from "./question.js";
import type { Targeted } from "./targeted.js";

const KINDS = [
  { key: "text", label: "Text" },
  { key: "number", label: "Number" },
  { key: "boolean", label: "True or false" },
  { key: "list", label: "List", detail: "Texts, separated by commas" },
];
const FLAGS = [
  { key: "true", label: "true" },
  { key: "false", label: "false" },
];
/** The draft is evaluated again when nothing was typed for so long. */
const QUIET_MS = 250;

/** The last question, also for the next environment that is looked at. */
let lastQuestion: Question = { userId: "", attributes: [], at: "" };

interface PreviewProps {
  targeted: Targeted;
  targeting: Targeting;
  /** Something is still to be mended: then it is not evaluated. */
  flawed: boolean;
  attributes: readonly AttributeChoice[];
}

export function Preview({ targeted, targeting, flawed, attributes }: PreviewProps) {
  const [question, setQuestion] = useState(lastQuestion);
  const [asked, setAsked] = useState<ReturnType<typeof bodyOf>>();
  lastQuestion = question;

  // Once somebody has asked, the answer follows what is edited.
  const body = JSON.stringify(bodyOf(question, targeting));
  const following = asked !== undefined && !flawed;
  useEffect(() => {
    if (!following) return;
    const timer = setTimeout(() => setAsked(JSON.parse(body)), QUIET_MS);
    return () => clearTimeout(timer);
  }, [body, following]);

  const path = {
    projectKey: targeted.project,
    featureKey: targeted.feature.key,
    environmentKey: targeted.environment.key,
  };
  const answer = useQuery({
    queryKey: ["preview", path, asked],
    queryFn: ({ signal }) => askPreview(path, asked as NonNullable<typeof asked>, signal),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const change = (fresh: AskedAttribute) =>
    setQuestion((old) => ({ ...old, attributes: old.attributes.map((one) => (one.id === fresh.id ? fresh : one)) }));
  const problem = answer.error ? withinTargeting(problemFrom(answer.error)) : undefined;
  return (
    <Section title="Who would get what">
      <AriaForm
        className="targeting-question"
        onSubmit={(event) => {
          event.preventDefault();
          if (!flawed) setAsked(bodyOf(question, targeting));
        }}
      >
        <TextField
          label="User id"
          autoComplete="off"
          mono
          value={question.userId}
          onChange={(userId) => setQuestion((old) => ({ ...old, userId }))}
          hint="Decides where in a split somebody is."
        />
        {question.attributes.map((attribute, index) => (
          <AttributeRow
            key={attribute.id}
            attribute={attribute}
            label={attribute.name || `attribute ${index + 1}`}
            choices={attributes}
            onChange={change}
            onRemove={() =>
              setQuestion((old) => ({ ...old, attributes: old.attributes.filter(({ id }) => id !== attribute.id) }))
            }
          />
        ))}
        <div>
          <Button
            kind="quiet"
            icon="plus"
            onPress={() => setQuestion((old) => ({ ...old, attributes: [...old.attributes, newAttribute()] }))}
          >
            Add an attribute
          </Button>
        </div>
        <DateTimeField
          label="At (empty: now)"
          value={question.at}
          onChange={(at) => setQuestion((old) => ({ ...old, at }))}
        />
        <Button kind="primary" type="submit" isPending={answer.isLoading} isDisabled={flawed}>
          Show what they get
        </Button>
      </AriaForm>
      <div className="targeting-answer" role="status" aria-label="Preview">
        {flawed ? (
          <p className="targeting-lead">Mend what is marked in the rules, then it can be previewed.</p>
        ) : problem ? (
          <Banner tone="bad">
            {problem.detail}
            {problem.errors?.map(({ pointer, detail }) => (
              <div key={pointer}>
                {pointer}: {detail}
              </div>
            ))}
          </Banner>
        ) : answer.data && asked ? (
          <Explanation preview={answer.data} targeting={asked.targeting} targeted={targeted} />
        ) : (
          <p className="targeting-lead">
            Rules are evaluated as they stand here, saved or not. Nothing is sent to users.
          </p>
        )}
      </div>
    </Section>
  );
}

interface AttributeRowProps {
  attribute: AskedAttribute;
  label: string;
  choices: readonly AttributeChoice[];
  onChange: (attribute: AskedAttribute) => void;
  onRemove: () => void;
}

function AttributeRow({ attribute, label, choices, onChange, onRemove }: AttributeRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the fields of one attribute
    <div className="targeting-attribute" role="group" aria-label={label}>
      <ComboBox
        label="Attribute"
        allowsCustomValue
        choices={choices.filter(({ key }) => !key.startsWith("flagservice."))}
        value={attribute.name}
        onChange={(name) => onChange({ ...attribute, name })}
      />
      {attribute.kind === "boolean" ? (
        <Select
          label="Value"
          choices={FLAGS}
          value={attribute.text === "true" ? "true" : "false"}
          onChange={(text) => onChange({ ...attribute, text })}
        />
      ) : (
        <TextField
          label="Value"
          autoComplete="off"
          inputMode={attribute.kind === "number" ? "decimal" : "text"}
          value={attribute.text}
          onChange={(text) => onChange({ ...attribute, text })}
        />
      )}
      <Select
        label="Kind"
        choices={KINDS}
        value={attribute.kind}
        onChange={(kind) => onChange({ ...attribute, kind: kind as AskedAttribute["kind"] })}
      />
      <IconButton icon="close" label={`Remove ${label}`} onPress={onRemove} />
    </div>
  );
}
