// Links to all pages: those of the project, those of the organisation, and the documentation.
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { resource } from "../api/queries.js";
import { Icon } from "../parts/display/icon.js";
import { type CurrentProject, hasOpenedProject } from "./current-project.js";
import { INBOX, type NavigationItem, ORGANISATION_PAGES, PROJECT_PAGES } from "./navigation-items.js";

interface ShownItem extends NavigationItem {
  /** How many requests are waiting there: `200+` if there are more than a page of the server has. */
  count?: string | undefined;
  /** What the count counts. */
  counted?: string;
}

interface NavigationProps {
  current: CurrentProject;
  /** Called when a link is followed. */
  onFollow?: () => void;
}

export function Navigation({ current: { key: project, loading }, onFollow }: NavigationProps) {
  const pending = usePendingApprovals(project);
  const toDecide = countIn(useQuery(resource("/api/v1/approvals", { query: { limit: MAX_COUNT } })).data?.value);
  // Until the project is known its links are invisible, but take up space: nothing below them moves later.
  // There may be no project at all: then the other links would move up.
  const hidden = loading && !hasOpenedProject();
  const items = (project || loading ? PROJECT_PAGES : []).map((item) => ({
    ...item,
    to: `/projects/${project}/${item.to}`,
    ...(item.to === "approvals" && { count: pending, counted: "pending" }),
  }));
  const ofOrganisation = ORGANISATION_PAGES.map((item) =>
    item.to === INBOX ? { ...item, count: toDecide, counted: "for you" } : item,
  );
  return (
    <nav className={hidden ? "navigation navigation-hidden" : "navigation"} aria-label="Main">
      {items.length > 0 && <NavigationGroup title="Project" items={items} onFollow={onFollow} hidden={loading} />}
      <NavigationGroup title="Organisation" items={ofOrganisation} onFollow={onFollow} />
      <a className="navigation-item navigation-documentation" href="/docs/">
        <Icon name="book" />
        Documentation
      </a>
    </nav>
  );
}

/** The page size of the server, and so the most that is counted. */
const MAX_COUNT = 200;

/** The number of pending approvals; undefined if there are none. */
function usePendingApprovals(project: string | undefined): string | undefined {
  const params = { path: { projectKey: project ?? "" }, query: { state: "pending" as const, limit: MAX_COUNT } };
  const { data } = useQuery({
    ...resource("/api/v1/projects/{projectKey}/approvals", params),
    enabled: project !== undefined,
  });
  return countIn(data?.value);
}

/** Undefined for none. */
function countIn(page: { items: readonly unknown[]; nextCursor?: string | null } | undefined): string | undefined {
  if (!page || page.items.length === 0) return undefined;
  return `${page.items.length}${page.nextCursor ? "+" : ""}`;
}

interface NavigationGroupProps {
  title: string;
  items: readonly ShownItem[];
  onFollow?: (() => void) | undefined;
  hidden?: boolean;
}

function NavigationGroup({ title, items, onFollow, hidden }: NavigationGroupProps) {
  const [pathname] = useLocation();
  const isOpen = (to: string) => pathname === to || (to !== "/" && pathname.startsWith(`${to}/`));
  return (
    <div className={hidden ? "navigation-hidden" : undefined}>
      <div className="navigation-title">{title}</div>
      <ul aria-label={title}>
        {items.map(({ to, label, icon, count, counted }) => (
          <li key={to}>
            <Link
              href={to}
              className="navigation-item"
              aria-current={isOpen(to) ? "page" : undefined}
              {...(onFollow && { onClick: onFollow })}
            >
              <Icon name={icon} />
              {label}
              {count && (
                <span className="navigation-count">
                  {count}
                  <span className="visually-hidden"> {counted}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
