// An address that leads nowhere, and a page that broke.
import { useRouteError } from "react-router";
import { LinkButton } from "../parts/button/button.js";
import { EmptyState, ErrorState } from "../parts/feedback/state.js";
import { Page } from "../parts/layout/page.js";

export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState
        icon="search"
        title="There is nothing here"
        action={<LinkButton href="/">To the features</LinkButton>}
      >
        The address may have been mistyped, or what stood here was deleted.
      </EmptyState>
    </Page>
  );
}

export function Broken() {
  const error = useRouteError();
  return (
    <Page title="Something went wrong">
      <ErrorState error={error} onRetry={() => window.location.reload()} />
    </Page>
  );
}
