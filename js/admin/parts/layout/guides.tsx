// Links to pages of the guide, below a list that leaves most of the window empty.
import { Icon, type IconName } from "../display/icon.js";

interface Topic {
  icon: IconName;
  title: string;
  text: string;
}

/** By the name of the page in the documentation. */
const TOPICS = {
  concepts: { icon: "book", title: "Concepts", text: "Projects, environments, features, variants and rules." },
  "quick-start": { icon: "features", title: "Quick start", text: "From the client key to a page that changes live." },
  "roll-out": {
    icon: "users",
    title: "Roll out to a share of users",
    text: "Start small, watch, then serve everyone.",
  },
  "compare-and-copy": {
    icon: "compare",
    title: "Compare and copy environments",
    text: "See what differs between two environments, and copy it.",
  },
  "approve-a-change": {
    icon: "approvals",
    title: "Approve a change",
    text: "What a request shows, and what happens when you decide.",
  },
  "schedule-a-change": {
    icon: "approvals",
    title: "Schedule a change",
    text: "Choose when users get it, and what makes it stale.",
  },
  audiences: {
    icon: "audiences",
    title: "Reuse audiences",
    text: "Name a group of users once, and use it in any rule.",
  },
  "run-an-experiment": {
    icon: "experiments",
    title: "Run an experiment",
    text: "Split users, count a goal, and read which variant is better.",
  },
  "test-a-user": { icon: "search", title: "Test a user", text: "See what a user is served, and which rule decides." },
  pipelines: {
    icon: "pipelines",
    title: "Release through a pipeline",
    text: "Move features from one environment to the next.",
  },
  "audit-log": { icon: "audit", title: "Read the audit log", text: "See who made a change, and revert it." },
  operation: { icon: "tokens", title: "Operating the server", text: "Sign-in, roles, tokens, and the command line." },
} as const satisfies Record<string, Topic>;

export type GuideName = keyof typeof TOPICS;

/** A list of at most so many rows leaves half of the window empty. */
const SHORT = 6;

/** Whether a list is loaded and short. */
export function isShort(rows: readonly unknown[] | undefined): boolean {
  return rows !== undefined && rows.length <= SHORT;
}

export function Guides({ names }: { names: readonly GuideName[] }) {
  return (
    <nav className="guides" aria-label="Guide">
      <ul>
        {names.map((name) => (
          <li key={name}>
            <a className="guide" href={`/docs/${name}/`}>
              <Icon name={TOPICS[name].icon} size={20} />
              <span className="guide-title">{TOPICS[name].title}</span>
              <span className="guide-text">{TOPICS[name].text}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
