// A list of what a change of several things is for, and then how each went.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Chip, type Tone } from "../display/chip.js";

export function ResultList({ label, children }: { label: string; children: ReactNode }) {
  return (
    // Focusable, so that a long list can be scrolled by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls
    <ul className="result-list" aria-label={label} tabIndex={0}>
      {children}
    </ul>
  );
}

/** The name of a feature with its key. */
export function FeatureName({ name, featureKey }: { name: string; featureKey: string }) {
  return (
    <span className="result-list-name">
      <bdi>{name}</bdi>
      <code>{featureKey}</code>
    </span>
  );
}

interface ResultNotesProps {
  tone: Tone;
  /** How it went: `Applied`. */
  label: string;
  /** The request for approval, and what it is for. */
  request?: { href: string; name: string } | undefined;
  /** Such as why the server refused. */
  children?: ReactNode;
}

export function ResultNotes({ tone, label, request, children }: ResultNotesProps) {
  return (
    <span className="result-list-notes">
      <Chip tone={tone}>{label}</Chip>
      {children}
      {request && (
        <Link href={request.href}>
          View request<span className="visually-hidden"> for {request.name}</span>
        </Link>
      )}
    </span>
  );
}
