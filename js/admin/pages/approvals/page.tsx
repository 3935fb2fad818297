// Changes that wait for somebody's approval, and those decided on.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Approvals">
      <EmptyState icon="approvals" title="This page is still to come" />
    </Page>
  );
}
