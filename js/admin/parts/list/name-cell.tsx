// The name of something in a list, linked to its page, with its key or another detail below.
import type { ReactNode } from "react";
import { Link } from "wouter";

interface NameCellProps {
  name: string;
  /** The page of the row. */
  href?: string;
  /** Below the name. */
  children?: ReactNode;
}

export function NameCell({ name, href, children }: NameCellProps) {
  return (
    <div className="name-cell">
      {href === undefined ? <bdi className="name">{name}</bdi> : <NameLink href={href}>{name}</NameLink>}
      {children}
    </div>
  );
}

/** A link in the colour of links, underlined while the pointer is over it. */
export function NameLink({ href, children, ...props }: { href: string; children: string; "aria-label"?: string }) {
  return (
    <Link {...props} href={href} className="name-link">
      <bdi>{children}</bdi>
    </Link>
  );
}

/** A key as it is used in code and URLs. */
export function Key({ children }: { children: ReactNode }) {
  return <code className="key">{children}</code>;
}
