// The pages for an unknown URL and for a page that failed to render.
import { LinkButton } from "../parts/button/button.js";
import { EmptyState, ErrorState } from "../parts/feedback/state.js";
import { Page } from "../parts/layout/page.js";
import { useCurrentProject } from "./current-project.js";

export function NotFoundPage() {
  const project = useCurrentProject().key;
  const features = project === undefined ? "/" : `/projects/${project}/features`;
  return (
    <Page title="Page not found">
      <EmptyState
        icon="search"
        title="Nothing at this URL"
        action={<LinkButton href={features}>Back to features</LinkButton>}
      >
        The URL may be wrong, or the page may have been deleted.
      </EmptyState>
    </Page>
  );
}

export function FailedPage({ error }: { error: unknown }) {
  return (
    <Page title="Something went wrong">
      <ErrorState error={error} onRetry={() => window.location.reload()} />
    </Page>
  );
}
