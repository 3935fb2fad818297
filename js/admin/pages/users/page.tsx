// People and their roles.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Users">
      <EmptyState icon="users" title="This page is still to come" />
    </Page>
  );
}
