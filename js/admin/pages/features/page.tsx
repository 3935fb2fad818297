// The features of a project: found, switched on and off, created, archived and restored.
import { useMemo, useState } from "react";
import { useParams } from "react-router";
import { useSession } from "../../api/session.js";
import { Button } from "../../parts/button/button.js";
import { Select } from "../../parts/choice/select.js";
import { EmptyState, ErrorState } from "../../parts/feedback/state.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Page, Toolbar } from "../../parts/layout/page.js";
import { hasRole } from "../../roles.js";
import { CreateFeature } from "./create-feature.js";
import { FeatureTable } from "./feature-table.js";
import { filtered, type Lifecycle, tagsOf, useEnvironments, useFeatures } from "./features.js";
import { useFilter } from "./filter.js";

const ANY = "any";
const LIFECYCLES = [
  { key: ANY, label: "Not archived" },
  { key: "Draft", label: "Draft" },
  { key: "Active", label: "Active" },
  { key: "Archived", label: "Archived" },
];

export function Component() {
  const { project = "" } = useParams();
  const { user } = useSession();
  const [filter, setFilter] = useFilter();
  const [creating, setCreating] = useState(false);
  const features = useFeatures(project);
  const environments = useEnvironments(project);
  const { search, lifecycle, tag } = filter;
  const rows = useMemo(
    () => features.data && filtered(features.data, { search, lifecycle, tag }),
    [features.data, search, lifecycle, tag],
  );
  const tags = useMemo(() => tagsOf(features.data ?? []), [features.data]);
  const mayEdit = hasRole(user.role, "editor");
  const failed = features.isError ? features : environments.isError ? environments : undefined;
  const create = mayEdit && (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      New feature
    </Button>
  );
  return (
    <Page title="Features" badges={<Count shown={rows?.length} all={features.data?.length} />} actions={create}>
      <Toolbar label="Filter">
        <SearchField label="Find a feature" value={search} onChange={(search) => setFilter({ search })} />
        <Select
          label="Lifecycle"
          hideLabel
          choices={LIFECYCLES}
          value={lifecycle ?? ANY}
          onChange={(key) => setFilter({ lifecycle: key === ANY ? undefined : (key as Lifecycle) })}
        />
        <Select
          label="Tag"
          hideLabel
          choices={[{ key: "", label: "Any tag" }, ...tags.map((tag) => ({ key: tag, label: tag }))]}
          value={tag ?? ""}
          onChange={(tag) => setFilter({ tag: tag || undefined })}
        />
      </Toolbar>
      {failed ? (
        <ErrorState
          error={failed.error}
          onRetry={() => void Promise.all([features.refetch(), environments.refetch()])}
        />
      ) : features.data?.length === 0 ? (
        <EmptyState icon="features" title="No feature yet" action={create}>
          A feature is one thing that can be on or off, for everyone or for some.
        </EmptyState>
      ) : rows?.length === 0 ? (
        <EmptyState
          icon="search"
          title="No feature matches"
          action={
            <Button onPress={() => setFilter({ search: "", lifecycle: undefined, tag: undefined })}>
              Clear the filter
            </Button>
          }
        >
          None of the {features.data?.length} features of this project fits the filter.
        </EmptyState>
      ) : (
        <FeatureTable project={project} features={rows} environments={environments.data} />
      )}
      {creating && <CreateFeature project={project} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Count({ shown, all }: { shown: number | undefined; all: number | undefined }) {
  if (shown === undefined || all === undefined) return null;
  return (
    <span className="features-count" role="status">
      {shown === all ? all : `${shown} of ${all}`}
      <span className="visually-hidden"> features</span>
    </span>
  );
}
