// The URL of each page. The code of a page is loaded when the page is first opened.
// The package exports it by no other name than the one that brings all components into the first script.
import { RouterProvider as AriaRouter } from "react-aria/private/utils/openLink";
import { createBrowserRouter, Outlet, type RouteObject, useHref, useNavigate } from "react-router";
import { FailedPage, NotFoundPage } from "./shell/error-pages.js";
import { preloadSearch } from "./shell/search/search-button.js";
import { SetUpPage } from "./shell/set-up.js";
import { Shell } from "./shell/shell.js";
import { SignInPage } from "./shell/sign-in.js";

/** Loads the other pages and the search when the browser is idle: they open immediately, even while the server is down. */
export function preloadPages(): void {
  const idle = globalThis.requestIdleCallback ?? setTimeout;
  idle(() => {
    for (const { lazy } of [...PROJECT_PAGES, ...ORGANISATION_PAGES]) {
      // A page that fails to load now is loaded when it is opened.
      if (typeof lazy === "function") lazy().catch(() => {});
    }
    preloadSearch();
  });
}

const PROJECT_PAGES: RouteObject[] = [
  { path: "start", lazy: () => import("./pages/start/page.js") },
  { path: "features", lazy: () => import("./pages/features/page.js") },
  {
    path: "features/:feature",
    lazy: () => import("./pages/feature/page.js"),
    // Annotations link to a feature in an environment: do not change this URL.
    children: [
      { index: true, element: null },
      { path: "environments/:environment", element: null },
    ],
  },
  { path: "compare", lazy: () => import("./pages/compare/page.js") },
  { path: "approvals/:id?", lazy: () => import("./pages/approvals/page.js") },
  { path: "audiences/:key?", lazy: () => import("./pages/audiences/page.js") },
  { path: "pipelines/:key?", lazy: () => import("./pages/pipelines/page.js") },
  { path: "environments/:key?", lazy: () => import("./pages/environments/page.js") },
  { path: "goals", lazy: () => import("./pages/goals/page.js") },
];

const ORGANISATION_PAGES: RouteObject[] = [
  { path: "/", lazy: () => import("./pages/projects/page.js") },
  { path: "start", lazy: () => import("./pages/start/page.js") },
  { path: "approvals", lazy: () => import("./pages/approvals/page.js") },
  { path: "integrations/:id?", lazy: () => import("./pages/integrations/page.js") },
  { path: "users", lazy: () => import("./pages/users/page.js") },
  { path: "tokens", lazy: () => import("./pages/tokens/page.js") },
  { path: "audit-log", lazy: () => import("./pages/audit-log/page.js") },
];

/** Makes the links of React Aria use the router. */
function Root() {
  const navigate = useNavigate();
  return (
    <AriaRouter navigate={(to) => void navigate(to)} useHref={useHref}>
      <Outlet />
    </AriaRouter>
  );
}

export function createRouter() {
  return createBrowserRouter([
    {
      element: <Root />,
      // Rendered until the first page is loaded.
      hydrateFallbackElement: <></>,
      children: [
        { path: "/sign-in", element: <SignInPage /> },
        { path: "/set-up", element: <SetUpPage /> },
        {
          element: <Shell />,
          children: [
            {
              errorElement: <FailedPage />,
              children: [
                { path: "/projects/:project", children: PROJECT_PAGES },
                ...ORGANISATION_PAGES,
                { path: "*", element: <NotFoundPage /> },
              ],
            },
          ],
        },
      ],
    },
  ]);
}
