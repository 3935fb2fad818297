// Environments and their keys.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Environments">
      <EmptyState icon="environments" title="This page is still to come" />
    </Page>
  );
}
