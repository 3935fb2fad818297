// Goals by variant.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Goals">
      <EmptyState icon="goals" title="This page is still to come" />
    </Page>
  );
}
