// Who changed what, and when.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Audit log">
      <EmptyState icon="audit" title="This page is still to come" />
    </Page>
  );
}
