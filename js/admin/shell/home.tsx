// The address / : on to the features of the current project.
import { Navigate } from "react-router";
import { Page } from "../parts/page.js";
import { EmptyState, ErrorState } from "../parts/state.js";
import { useCurrentProject, useProjects } from "./project.js";

export function Home() {
  const projects = useProjects();
  const current = useCurrentProject();
  if (current) return <Navigate to={`/projects/${current}/features`} replace />;
  if (projects.isPending) return null;
  return (
    <Page title="Projects">
      {projects.isError ? (
        <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />
      ) : (
        <EmptyState icon="features" title="No project yet">
          An administrator creates the first one through the REST API, or from a document with the command line.
        </EmptyState>
      )}
    </Page>
  );
}
