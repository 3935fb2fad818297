// Two environments side by side, and what is copied from one to the other.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Compare environments">
      <EmptyState icon="compare" title="This page is still to come" />
    </Page>
  );
}
