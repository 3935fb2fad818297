// A feature in an environment: its targeting, edited, previewed, and compared before it is saved.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Targeting">
      <EmptyState icon="features" title="This page is still to come" />
    </Page>
  );
}
