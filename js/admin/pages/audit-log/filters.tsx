// The filter fields. Each applies immediately; the resource applies on Enter or when the field loses the focus.
import { type FormEvent, useEffect, useState } from "react";
import type { components } from "../../api/schema.js";
import { Select } from "../../parts/choice/select.js";
import { TextField } from "../../parts/form/text-field.js";
import { Toolbar } from "../../parts/layout/page.js";
import type { AuditFilter } from "./filter.js";

interface FiltersProps {
  filter: AuditFilter;
  people: readonly components["schemas"]["User"][] | undefined;
  onChange: (change: Partial<AuditFilter>) => void;
}

export function Filters({ filter, people = [], onChange }: FiltersProps) {
  const [resource, setResource] = useState(filter.resource);
  useEffect(() => setResource(filter.resource), [filter.resource]);
  const applyResource = () => {
    const path = resource.trim().replace(/^\/+|\/+$/g, "");
    if (path !== filter.resource) onChange({ resource: path });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    applyResource();
  };
  return (
    <Toolbar label="Filter">
      <form className="audit-log-filters" onSubmit={submit}>
        <Select
          label="Person"
          choices={[{ key: "", label: "Anyone" }, ...people.map(({ id, name }) => ({ key: id, label: name }))]}
          value={filter.user}
          onChange={(user) => onChange({ user })}
        />
        <TextField
          label="Resource"
          mono
          placeholder="projects/shop/features/…"
          value={resource}
          onChange={setResource}
          onBlur={applyResource}
        />
        <TextField label="From" type="date" value={filter.from} onChange={(from) => onChange({ from })} />
        <TextField label="To" type="date" value={filter.to} onChange={(to) => onChange({ to })} />
      </form>
    </Toolbar>
  );
}
