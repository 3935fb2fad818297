// The layout of every page: breadcrumbs, title, description, actions and content.
import type { ReactNode } from "react";
import { Breadcrumbs } from "./breadcrumbs.js";
import { type GuideName, Guides } from "./guides.js";

interface PageProps {
  title: string;
  /** Next to the title: chips, a key. */
  badges?: ReactNode;
  /** One sentence below the title. */
  description?: ReactNode;
  actions?: ReactNode;
  /** Pages of the guide to link to at the end. */
  guides?: readonly GuideName[] | false;
  children: ReactNode;
}

export function Page({ title, badges, description, actions, guides, children }: PageProps) {
  return (
    <div className="page">
      <title>{`${title} · Flag Service`}</title>
      <header className="page-head">
        <Breadcrumbs title={title} />
        <div className="page-title">
          {/* Gets the focus on navigation: see shell/shell.tsx. */}
          <h1 tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          {badges}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
        {description && <p className="page-description">{description}</p>}
      </header>
      {children}
      {guides && <Guides names={guides} />}
    </div>
  );
}

/** A row of filters above a list. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of filters is not a fieldset
    <div className="toolbar" role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** A part of a page with its own heading. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="section" aria-label={title}>
      <header className="section-head">
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
