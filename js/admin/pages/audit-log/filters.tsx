// The filter fields. Each applies at once.
import { useQuery } from "@tanstack/react-query";
import { useProjects } from "../../api/projects.js";
import { wholeList } from "../../api/queries.js";
import { ComboBox } from "../../parts/choice/combo-box.js";
import { type Choice, Select } from "../../parts/choice/select.js";
import { TextField } from "../../parts/form/text-field.js";
import { useSyncedText } from "../../parts/form/use-synced-text.js";
import { Toolbar } from "../../parts/layout/page.js";
import { type AuditFilter, KINDS } from "./filter.js";

interface FiltersProps {
  filter: AuditFilter;
  onChange: (change: Partial<AuditFilter>) => void;
}

/** The operator of the server, who imports and restores. */
const COMMAND_LINE = { key: "command-line", label: "Command line" };

export function Filters({ filter, onChange }: FiltersProps) {
  const people = useQuery(wholeList("/api/v1/users")).data ?? [];
  return (
    <Toolbar label="Filter">
      <div className="audit-log-filters">
        <ProjectFields filter={filter} onChange={onChange} />
        <Select label="Kind" choices={KINDS} value={filter.kind} onChange={(kind) => onChange({ kind })} />
        <Select
          label="Person"
          choices={[
            { key: "", label: "Anyone" },
            ...people.map(({ id, name }) => ({ key: id, label: name })),
            COMMAND_LINE,
          ]}
          value={filter.person}
          onChange={(person) => onChange({ person })}
        />
        <DayField label="From" value={filter.from} onChange={(from) => onChange({ from })} />
        <DayField label="To" value={filter.to} onChange={(to) => onChange({ to })} />
      </div>
    </Toolbar>
  );
}

/** A feature and an environment can be selected once a project is; with a single project, at once. */
function ProjectFields({ filter, onChange }: FiltersProps) {
  const projects = useProjects().data ?? [];
  const only = projects.length === 1 ? projects[0]?.key : undefined;
  const project = filter.project || only || "";
  const params = { path: { projectKey: project } };
  const enabled = projects.some(({ key }) => key === project);
  const features = useQuery({ ...wholeList("/api/v1/projects/{projectKey}/features", params), enabled }).data ?? [];
  const environments =
    useQuery({ ...wholeList("/api/v1/projects/{projectKey}/environments", params), enabled }).data ?? [];
  const featureChoices = withSelected(choicesOf(features), filter.feature);
  return (
    <>
      <Select
        label="Project"
        choices={[{ key: "", label: "Any project" }, ...withSelected(choicesOf(projects), filter.project)]}
        value={filter.project}
        onChange={(project) => onChange({ project, feature: "", environment: "" })}
      />
      <ComboBox
        // Its choices and its text are taken when it appears.
        key={`${project}/${features.length}`}
        label="Feature"
        placeholder={enabled ? "Any feature" : "Select a project first"}
        choices={featureChoices}
        value={filter.feature}
        onChange={(feature) => onChange({ project, feature })}
        isDisabled={!enabled}
      />
      <Select
        label="Environment"
        choices={[
          { key: "", label: enabled ? "Any environment" : "Select a project first" },
          ...withSelected(choicesOf(environments), filter.environment),
        ]}
        value={filter.environment}
        onChange={(environment) => onChange({ project, environment })}
        isDisabled={!enabled}
      />
    </>
  );
}

function choicesOf(list: readonly { key: string; name: string }[]): Choice[] {
  return list.map(({ key, name }) => ({ key, label: name, detail: key }));
}

/** A key in the URL that is not in the list: while the list loads, or because it was deleted. */
function withSelected(choices: Choice[], selected: string): Choice[] {
  return !selected || choices.some(({ key }) => key === selected)
    ? choices
    : [...choices, { key: selected, label: selected }];
}

interface DayFieldProps {
  label: string;
  value: string;
  onChange: (day: string) => void;
}

function DayField({ label, value, onChange }: DayFieldProps) {
  const { text, setText, flush } = useSyncedText(value, onChange);
  return <TextField label={label} type="date" value={text} onChange={setText} onBlur={flush} />;
}
