// Where changes are told of outside: connections, their deliveries and test events.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Integrations">
      <EmptyState icon="integrations" title="This page is still to come" />
    </Page>
  );
}
