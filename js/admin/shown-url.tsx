// The URL whose page is shown. While the code of the next page is loaded, the page before stays.
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useTransition,
} from "react";
import { Router } from "wouter";
// Importing it makes pushState and replaceState of the history send an event of their name.
import { navigate } from "wouter/use-browser-location";

const EVENTS = ["popstate", "pushState", "replaceState"] as const;

interface Url {
  pathname: string;
  search: string;
  /** The event that led to it; undefined for the URL that was opened first. */
  reachedBy?: string;
}

interface ShownUrl extends Url {
  /** Whether the page of another URL is being loaded. */
  loading: boolean;
}

const ShownUrlContext = createContext<ShownUrl>({ pathname: "/", search: "", loading: false });

export function useShownUrl(): ShownUrl {
  return useContext(ShownUrlContext);
}

/** Lets `wouter` follow the URL that is shown instead of the one in the browser's address bar. */
export function ShownUrlProvider({ children }: { children: ReactNode }) {
  const { url, loading } = useUrl();
  useScrollToTop(url);
  return (
    <ShownUrlContext value={{ ...url, loading }}>
      <Router hook={useShownLocation}>{children}</Router>
    </ShownUrlContext>
  );
}

function useUrl(): { url: Url; loading: boolean } {
  const [url, setUrl] = useState<Url>(() => ({ pathname: location.pathname, search: location.search }));
  const [loading, startTransition] = useTransition();
  useEffect(() => {
    const update = (reachedBy: string) => {
      const { pathname, search } = location;
      startTransition(() =>
        setUrl((shown) =>
          shown.pathname === pathname && shown.search === search ? shown : { pathname, search, reachedBy },
        ),
      );
    };
    const onEvent = ({ type }: Event) => update(type);
    for (const name of EVENTS) addEventListener(name, onEvent);
    // The first page may have redirected before.
    update("replaceState");
    return () => {
      for (const name of EVENTS) removeEventListener(name, onEvent);
    };
  }, []);
  return { url, loading };
}

/** A new page starts at its top. Back and forward: the browser knows where the page was. */
function useScrollToTop({ pathname, reachedBy }: Url): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the search alone leaves the page where it is.
  useLayoutEffect(() => {
    if (reachedBy === "pushState") window.scrollTo(0, 0);
  }, [pathname]);
}

function useShownLocation(): [string, typeof navigate] {
  return [useShownUrl().pathname, navigate];
}

/**
 * Opens another page after a write, unless the person has left this one meanwhile. A write ends when what it changed has been read
 * again: long enough to click a link or to go back.
 */
export function useNavigateFromHere(): typeof navigate {
  const here = useShownUrl().pathname;
  return useCallback<typeof navigate>(
    (to, options) => {
      if (location.pathname === here) navigate(to, options);
    },
    [here],
  );
}

type SetSearchParams = (next: URLSearchParams | string, options?: { replace?: boolean }) => void;

/** Not the one of `wouter`: it decodes twice, so that `%41` in a filter would become `A`. */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const { pathname, search } = useShownUrl();
  // What is typed reaches the URL a moment later. The person may have left meanwhile, for a page whose code is being loaded.
  const navigateFromHere = useNavigateFromHere();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const set = useCallback<SetSearchParams>(
    (next, options) => {
      const query = next.toString();
      navigateFromHere(query ? `${pathname}?${query}` : pathname, options);
    },
    [pathname, navigateFromHere],
  );
  return [params, set];
}
