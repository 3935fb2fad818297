// One feature: what it is, and where it stands in each environment.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Feature">
      <EmptyState icon="features" title="This page is still to come" />
    </Page>
  );
}
