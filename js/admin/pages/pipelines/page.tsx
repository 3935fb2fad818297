// Release pipelines and their phases.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Pipelines">
      <EmptyState icon="pipelines" title="This page is still to come" />
    </Page>
  );
}
