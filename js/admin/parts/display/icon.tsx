// The icons: strokes on a 16-pixel grid, in the colour of the text next to them.

const PATHS = {
  features: "M3.5 14V2.5h8.2L9.8 5.6l1.9 3.1H3.5",
  compare: "M2.5 3.5h4v9h-4zM9.5 3.5h4v9h-4zM8 1.5v13",
  approvals: "M8 1.8l5 2v4.1c0 3-2 5.2-5 6.3-3-1.1-5-3.3-5-6.3V3.8zM5.7 8l1.7 1.7 3-3.2",
  pending: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 4.8V8l2.2 1.6",
  audiences:
    "M6 7.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM1.5 13.5c.3-2.6 2-4 4.5-4s4.2 1.4 4.5 4" +
    "M10.8 2.8a2.5 2.5 0 010 4.4M12 9.8c1.4.6 2.3 1.8 2.5 3.7",
  pipelines: "M3 8h10M3 10a2 2 0 100-4 2 2 0 000 4zM8 10a2 2 0 100-4 2 2 0 000 4zM13 10a2 2 0 100-4 2 2 0 000 4z",
  environments: "M8 1.5l6 3.2-6 3.2-6-3.2zM2 8l6 3.2L14 8M2 11.3l6 3.2 6-3.2",
  goals: "M2.5 13.5h11M4.5 11V7.5M8 11V2.5M11.5 11V5.5",
  experiments: "M6 2h4M6.7 2v4.2L3 12.6c-.4.7 0 1.4.8 1.4h8.4c.8 0 1.2-.7.8-1.4L9.3 6.2V2M5 9.8h6",
  integrations: "M6 2v3M10 2v3M4 5h8v3a4 4 0 01-8 0zM8 12v2.5",
  users: "M8 8a3 3 0 100-6 3 3 0 000 6zM2.5 14c.4-2.9 2.5-4.3 5.5-4.3s5.1 1.4 5.5 4.3",
  tokens: "M10.5 9a3.5 3.5 0 10-3.3-2.3L2 12v2h2.5v-1.8h1.8v-1.7l1.5-1.7c.8.2 1.7.2 2.7.2zM11 5h.01",
  audit: "M4 1.5h5.5L12.5 4.5v10h-8.5zM6 6h4.5M6 8.5h4.5M6 11h2.5",
  book: "M8 4C6.5 2.8 4.5 2.5 2 2.5v10c2.5 0 4.5.3 6 1.5 1.5-1.2 3.5-1.5 6-1.5v-10c-2.5 0-4.5.3-6 1.5zM8 4v10",
  search: "M7 12A5 5 0 107 2a5 5 0 000 10zM10.6 10.6L14 14",
  plus: "M8 3v10M3 8h10",
  minus: "M3.5 8h9",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3.5 8.5l3 3 6-6.5",
  down: "M4.5 6.5L8 10l3.5-3.5",
  right: "M6.5 4.5L10 8l-3.5 3.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  warning: "M8 2.2l6.3 11.3H1.7zM8 6.5v3M8 11.5h.01",
  information: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.5v3.3M8 5.2h.01",
  swap: "M4.5 13V3M2 5.5L4.5 3 7 5.5M11.5 3v10M9 10.5l2.5 2.5 2.5-2.5",
  sun:
    "M8 10.8a2.8 2.8 0 100-5.6 2.8 2.8 0 000 5.6z" +
    "M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13.5 9.3A5.8 5.8 0 016.7 2.5a5.8 5.8 0 106.8 6.8z",
  screen: "M2 3h12v8H2zM6 14h4M8 11v3",
  leave: "M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6",
  archive: "M2 3h12v3H2zM3 6v7.5h10V6M6.5 9h3",
  restore: "M3 8a5 5 0 105-5C6 3 4.5 4 3.5 5.2M3 2.5v3h3",
  edit: "M10.5 3l2.5 2.5L5.5 13H3v-2.5z",
  grip: "M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01",
  up: "M8 13V3M4 7l4-4 4 4",
  projects: "M2 4h4.3l1.6 2H14v7H2z",
  star: "M8 1.9l1.9 3.8 4.2.6-3 3 .7 4.2L8 11.5l-3.8 2 .7-4.2-3-3 4.2-.6z",
  tag: "M2.5 2.5h5l6 6-5 5-6-6zM5.5 5.5h.01",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9",
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: the text or the label next to it has the meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" || name === "grip" ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo of the service, a pennant. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="none">
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path
        d="M7.5 19.5v-14h9.8l-2.6 3.9 2.6 3.9H7.5"
        stroke="var(--on-accent)"
        strokeWidth="1.9"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}
