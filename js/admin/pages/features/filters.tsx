// The filter fields above the feature list, its order, and the saved views.
import type { ComponentProps } from "react";
import { ToggleButton } from "react-aria-components/ToggleButton";
import { useSession } from "../../api/session.js";
import { type Choice, Select } from "../../parts/choice/select.js";
import { Icon } from "../../parts/display/icon.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Toolbar } from "../../parts/layout/page.js";
import { type Feature, type Lifecycle, tagsOf } from "./features.js";
import { type FeatureFilter, NO_OWNER } from "./filter.js";
import type { PreferenceControls } from "./preferences.js";
import { SORTS, type Sort } from "./sort.js";
import { Views } from "./views/views.js";

const NOT_ARCHIVED = "not-archived";
const LIFECYCLES = [
  { key: NOT_ARCHIVED, label: "Not archived" },
  { key: "Draft", label: "Draft" },
  { key: "Active", label: "Active" },
  { key: "Archived", label: "Archived" },
];
/** The key of the choice that filters nothing. */
const ANY = "";

interface FiltersProps {
  filter: FeatureFilter;
  onChange: (change: Partial<FeatureFilter>) => void;
  /** All features of the project. */
  features: readonly Feature[];
  preferences: PreferenceControls;
}

export function Filters({ filter, onChange, features, preferences }: FiltersProps) {
  const { user } = useSession();
  return (
    <Toolbar label="Filter">
      <SearchField label="Search features" value={filter.search} onChange={(search) => onChange({ search })} />
      <Select
        label="Lifecycle"
        hideLabel
        choices={LIFECYCLES}
        value={filter.lifecycle ?? NOT_ARCHIVED}
        onChange={(key) => onChange({ lifecycle: key === NOT_ARCHIVED ? undefined : (key as Lifecycle) })}
      />
      <Select
        label="Tag"
        hideLabel
        choices={[{ key: ANY, label: "Any tag" }, ...tagsOf(features).map((key) => ({ key, label: key }))]}
        value={filter.tag ?? ANY}
        onChange={(key) => onChange({ tag: key || undefined })}
      />
      <Select
        label="Owner"
        hideLabel
        choices={[{ key: ANY, label: "Any owner" }, ...ownersOf(features, user)]}
        value={filter.owner ?? ANY}
        onChange={(key) => onChange({ owner: key || undefined })}
      />
      <Select
        label="Order"
        hideLabel
        choices={[{ key: ANY, label: "By key" }, ...SORTS]}
        value={filter.sort ?? ANY}
        onChange={(key) => onChange({ sort: (key || undefined) as Sort | undefined })}
      />
      <div className="features-shortcuts">
        <Shortcut
          name="Favourites"
          icon="star"
          className="features-favourites"
          isOn={filter.favourites}
          onChange={(favourites) => onChange({ favourites })}
        />
        <Shortcut
          name="Stale"
          icon="pending"
          className="features-only-stale"
          isOn={filter.stale}
          onChange={(stale) => onChange({ stale })}
        />
        <Views {...preferences} />
      </div>
    </Toolbar>
  );
}

interface ShortcutProps {
  name: string;
  icon: ComponentProps<typeof Icon>["name"];
  className: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Shortcut({ name, icon, className, isOn, onChange }: ShortcutProps) {
  return (
    <ToggleButton isSelected={isOn} onChange={onChange} className={`button button-secondary ${className}`}>
      <Icon name={icon} />
      <span className="button-text">{name}</span>
    </ToggleButton>
  );
}

/** The signed-in person, the owners of the features, and nobody. */
function ownersOf(features: readonly Feature[], user: { id: string; name: string }): Choice[] {
  const names = new Map(features.flatMap(({ owner }) => (owner ? [[owner.id, owner.name] as const] : [])));
  names.delete(user.id);
  const others = [...names].map(([key, label]) => ({ key, label }));
  return [
    { key: user.id, label: "Owned by me" },
    ...others.sort((one, other) => one.label.localeCompare(other.label)),
    { key: NO_OWNER, label: "No owner" },
  ];
}
