// Which address is which page. A page's code is fetched when it is opened first; its folder holds all that is its own.

import { RouterProvider as AriaRouter } from "react-aria-components";
import { createBrowserRouter, Outlet, type RouteObject, useHref, useNavigate } from "react-router";
import { Broken, NotFound } from "./shell/not-found.js";
import { Shell } from "./shell/shell.js";
import { SignInPage } from "./shell/sign-in.js";

/** Once nothing else is to be done, the other pages are fetched too: they open at once, also while the server is away. */
export function fetchPages(): void {
  const idle = globalThis.requestIdleCallback ?? setTimeout;
  idle(() => {
    for (const { lazy } of [...PROJECT_PAGES, ...ORGANISATION_PAGES]) {
      // One that cannot be had now is fetched when it is opened.
      if (typeof lazy === "function") lazy().catch(() => {});
    }
  });
}

const PROJECT_PAGES: RouteObject[] = [
  { path: "features", lazy: () => import("./pages/features/page.js") },
  { path: "features/:feature", lazy: () => import("./pages/feature/page.js") },
  // Annotations link here: this address stays as it is.
  { path: "features/:feature/environments/:environment", lazy: () => import("./pages/targeting/page.js") },
  { path: "compare", lazy: () => import("./pages/compare/page.js") },
  { path: "approvals/:id?", lazy: () => import("./pages/approvals/page.js") },
  { path: "audiences/:key?", lazy: () => import("./pages/audiences/page.js") },
  { path: "pipelines/:key?", lazy: () => import("./pages/pipelines/page.js") },
  { path: "environments/:key?", lazy: () => import("./pages/environments/page.js") },
  { path: "goals", lazy: () => import("./pages/goals/page.js") },
];

const ORGANISATION_PAGES: RouteObject[] = [
  { path: "/", lazy: () => import("./pages/projects/page.js") },
  { path: "integrations/:id?", lazy: () => import("./pages/integrations/page.js") },
  { path: "users", lazy: () => import("./pages/users/page.js") },
  { path: "tokens", lazy: () => import("./pages/tokens/page.js") },
  { path: "audit-log", lazy: () => import("./pages/audit-log/page.js") },
];

/** Links of the parts go through the router too. */
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
      // Nothing is known yet of what the page will hold.
      hydrateFallbackElement: <></>,
      children: [
        { path: "/sign-in", element: <SignInPage /> },
        {
          element: <Shell />,
          children: [
            {
              errorElement: <Broken />,
              children: [
                { path: "/projects/:project", children: PROJECT_PAGES },
                ...ORGANISATION_PAGES,
                { path: "*", element: <NotFound /> },
              ],
            },
          ],
        },
      ],
    },
  ]);
}
