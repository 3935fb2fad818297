// Shown instead of a table without rows: there are no features, no differences, or none that match the search.
import { Button } from "../../parts/button/button.js";
import { EmptyState } from "../../parts/feedback/state.js";
import type { Comparison } from "./comparison.js";
import type { Filter } from "./filter.js";

interface NoRowsProps {
  comparison: Comparison;
  filter: Filter;
  onFilter: (change: Partial<Filter>) => void;
}

export function NoRows({ comparison: { source, target, features, different }, filter, onFilter }: NoRowsProps) {
  if (features.length === 0) {
    return (
      <EmptyState icon="features" title="No features">
        No active features to compare.
      </EmptyState>
    );
  }
  if (different === 0 && !filter.all) {
    return (
      <EmptyState
        icon="check"
        title="No differences"
        action={<Button onPress={() => onFilter({ all: true })}>Show all features</Button>}
      >
        <bdi>{source.name}</bdi> and <bdi>{target.name}</bdi> are identical in{" "}
        {features.length === 1 ? "their only feature" : `all ${features.length.toLocaleString("en")} features`}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="search"
      title="No matching features"
      action={<Button onPress={() => onFilter({ search: "" })}>Clear search</Button>}
    >
      None of the {filter.all ? features.length : `${different} different`} features match the search.
    </EmptyState>
  );
}
