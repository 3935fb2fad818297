// Personal access tokens.
import { Page } from "../../parts/page.js";
import { EmptyState } from "../../parts/state.js";

export function Component() {
  return (
    <Page title="Tokens">
      <EmptyState icon="tokens" title="This page is still to come" />
    </Page>
  );
}
