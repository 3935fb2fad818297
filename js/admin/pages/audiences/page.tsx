// Saved audiences: who is in them, and where they are used.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Audiences">
      <EmptyState icon="audiences" title="This page is still to come" />
    </Page>
  );
}
