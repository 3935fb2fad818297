// The URL of each page. The code of a page is loaded when the page is first opened.
import { type ComponentType, lazy, Suspense } from "react";
// The package exports it by no other name than the one that brings all components into the first script.
import { RouterProvider as AriaRouter } from "react-aria/private/utils/openLink";
import { Route, Switch } from "wouter";
import { navigate } from "wouter/use-browser-location";
import { whenIdle } from "./painted.js";
import { preloadDialogs } from "./parts/dialog/deferred-dialog.js";
import { ErrorBoundary } from "./shell/error-boundary.js";
import { NotFoundPage } from "./shell/error-pages.js";
import { Shell } from "./shell/shell.js";
import { ShownUrlProvider, useShownUrl } from "./shown-url.js";

/** Not in the types of the DOM. */
type DataSaver = { connection?: { saveData?: boolean } };

type LoadPage = () => Promise<{ Component: ComponentType }>;

/** Annotations link to a feature in an environment: do not change this URL. */
const FEATURE =
  /^\/projects\/(?<project>[^/]+)\/features\/(?<feature>[^/]+)(?:\/environments\/(?<environment>[^/]+))?\/?$/i;

const PAGES: readonly (readonly [path: string | RegExp, LoadPage])[] = [
  ["/", () => import("./pages/projects/page.js")],
  ["/start", () => import("./pages/start/page.js")],
  ["/projects/:project/start", () => import("./pages/start/page.js")],
  ["/projects/:project/features", () => import("./pages/features/page.js")],
  [FEATURE, () => import("./pages/feature/page.js")],
  ["/projects/:project/compare", () => import("./pages/compare/page.js")],
  ["/projects/:project/approvals/:id?", () => import("./pages/approvals/page.js")],
  ["/projects/:project/audiences/:key?", () => import("./pages/audiences/page.js")],
  ["/projects/:project/pipelines/:key?", () => import("./pages/pipelines/page.js")],
  ["/projects/:project/environments/:key?", () => import("./pages/environments/page.js")],
  ["/projects/:project/goals", () => import("./pages/goals/page.js")],
  ["/projects/:project/experiments/:environment?/:key?", () => import("./pages/experiments/page.js")],
  ["/approvals", () => import("./pages/approvals/page.js")],
  ["/integrations/:id?", () => import("./pages/integrations/page.js")],
  ["/users", () => import("./pages/users/page.js")],
  ["/tokens", () => import("./pages/tokens/page.js")],
  ["/audit-log", () => import("./pages/audit-log/page.js")],
];

/** The pages for people who are not signed in. */
const loadSignIn = () => import("./shell/sign-in.js");
const SignInPage = lazy(async () => ({ default: (await loadSignIn()).SignInPage }));
const SetUpPage = lazy(async () => ({ default: (await import("./shell/set-up.js")).SetUpPage }));

const ROUTES = PAGES.map(([path, load]) => {
  const Page = lazy(async () => ({ default: (await load()).Component }));
  return (
    <Route key={String(path)} path={path}>
      <Page />
    </Route>
  );
});

/**
 * Loads the other pages and the dialogs when the browser is idle: they open immediately, even while the server is down. Not for people
 * who have asked their browser to save data.
 */
export function preloadPages(): void {
  if ((navigator as DataSaver).connection?.saveData) return;
  whenIdle(() => {
    // A page that fails to load now is loaded when it is opened. The pages say which dialogs they have.
    void Promise.allSettled([loadSignIn(), ...PAGES.map(([, load]) => load())]).then(preloadDialogs);
  });
}

/** All pages, and the same router for the results of the search, which are a menu of React Aria. */
export function Pages() {
  return (
    <AriaRouter navigate={(to) => navigate(to)}>
      <ShownUrlProvider>
        <Suspense>
          <Switch>
            <Route path="/sign-in" component={SignInPage} />
            <Route path="/set-up" component={SetUpPage} />
            <Route>
              <Shell>
                <PageOfUrl />
              </Shell>
            </Route>
          </Switch>
        </Suspense>
      </ShownUrlProvider>
    </AriaRouter>
  );
}

function PageOfUrl() {
  const { pathname } = useShownUrl();
  return (
    <ErrorBoundary pathname={pathname}>
      <Switch>
        {ROUTES}
        <Route>
          <NotFoundPage />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}
