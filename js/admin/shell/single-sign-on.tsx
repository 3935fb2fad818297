// Single sign-on: the link that begins it, and why it did not work.
import type { ReactNode } from "react";
import { Banner } from "../parts/feedback/banner.js";

interface SingleSignOn {
  /** The identity provider, as the operator calls it. */
  name: string;
  /** The claim that has a person's roles. */
  roleClaim: string;
  /** The contact for people without a role. */
  contact: string | null;
}

/** What the server has written into the document; nothing if people sign in with tokens alone. */
export const singleSignOn = read();

function read(): SingleSignOn | undefined {
  const content = document.querySelector<HTMLMetaElement>("meta[name=single-sign-on]")?.content;
  return content?.startsWith("{") ? (JSON.parse(content) as SingleSignOn) : undefined;
}

/** It leads to the identity provider and comes back to `from`. */
export function SingleSignOnLink({ from, newTab = false }: { from: string; newTab?: boolean }) {
  if (singleSignOn === undefined) return null;
  return (
    <a
      className="button button-primary"
      href={`/ui/single-sign-on?${new URLSearchParams({ from })}`}
      {...(newTab && { target: "_blank", rel: "noopener" })}
    >
      <span className="button-text">
        Continue with <bdi>{singleSignOn.name}</bdi>
      </span>
    </a>
  );
}

/** Says why single sign-on did not work, and what to do. */
export function SignInProblem() {
  const problem = new URLSearchParams(location.search).get("problem");
  if (problem === null || singleSignOn === undefined) return null;
  // Anybody can write another word into a link.
  const reason = Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem] : PROBLEMS.failed;
  return <Banner tone={problem === "cancelled" ? "note" : "bad"}>{reason?.(singleSignOn)}</Banner>;
}

/** The reasons of crates/server/src/http/site/single_sign_on.rs. */
const PROBLEMS: Record<string, (provider: SingleSignOn) => ReactNode> = {
  "too-many-attempts": () => "Too many people have tried to sign in from your address. Wait a minute, then try again.",
  unreachable: ({ name }) => (
    <>
      The identity provider (<bdi>{name}</bdi>) does not answer. Try again later, or sign in with a token.
    </>
  ),
  cancelled: () => "Signing in was cancelled. Nothing has changed.",
  expired: () => "This sign-in took too long, was begun in another window, or was already completed. Begin again.",
  refused: ({ name }) => (
    <>
      The identity provider (<bdi>{name}</bdi>) refused this sign-in. Begin again. If it keeps happening, tell the
      operator of this service.
    </>
  ),
  invalid: ({ name }) => (
    <>
      The answer of the identity provider (<bdi>{name}</bdi>) could not be verified, so you were not signed in. Tell the
      operator of this service, whose log has the cause.
    </>
  ),
  "no-role": ({ name, roleClaim, contact }) => (
    <>
      Your account at <bdi>{name}</bdi> has no role for this service: its claim <code>{roleClaim}</code> is missing or
      has none of the expected values. Ask <bdi>{contact ?? "the person who manages your account there"}</bdi> for a
      role.
    </>
  ),
  removed: () => "An administrator removed you from this organisation. Ask an administrator to let you in again.",
  "no-organisation": () =>
    "It is not set up which organisation you sign in to. Tell the operator of this service, whose log has the cause.",
  failed: () => "This service failed. Try again; if it keeps happening, tell its operator.",
};
