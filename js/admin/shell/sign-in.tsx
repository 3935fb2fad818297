// Signing in: the sign-in page, and the dialog over a page whose session has ended.
import { useEffect, useState } from "react";
import { Redirect } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { type Problem, problemFrom } from "../api/problem.js";
import { resumeSession, type Session, signIn, signOut, useSessionState } from "../api/session.js";
import { Button } from "../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../parts/dialog/dialog.js";
import { Logo } from "../parts/display/icon.js";
import { Form } from "../parts/form/form.js";
import { TextField } from "../parts/form/text-field.js";
import { SignInProblem, SingleSignOnLink, singleSignOn } from "./single-sign-on.js";

/** The state of the form: the token, and the result of the last attempt. */
function useSignIn() {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const [pending, setPending] = useState(false);
  const submit = async () => {
    setPending(true);
    setProblem(undefined);
    try {
      await signIn(token.trim());
    } catch (error) {
      setProblem(problemFrom(error));
    } finally {
      setPending(false);
    }
  };
  return { token, setToken, problem, pending, submit: () => void submit() };
}

function AccessTokenField({ value, onChange }: { value: string; onChange: (token: string) => void }) {
  return (
    <TextField
      label="Personal access token"
      name="token"
      type="password"
      autoComplete="current-password"
      autoFocus={singleSignOn === undefined}
      isRequired
      mono
      placeholder="api-…"
      value={value}
      onChange={onChange}
    />
  );
}

export function SignInPage() {
  const state = useSessionState();
  const from = useFrom();
  const { token, setToken, problem, pending, submit } = useSignIn();
  if (state.status === "signedIn") return <Redirect to={from} replace />;
  return (
    <main className="sign-in">
      <title>Sign in · Flag Service</title>
      <Welcome />
      <div className="sign-in-card">
        <h1>Sign in</h1>
        <SignInProblem />
        {singleSignOn && (
          <>
            <SingleSignOnLink from={from} />
            <p className="sign-in-or">or</p>
          </>
        )}
        <Form problem={problem} pending={pending} onSubmit={submit}>
          <AccessTokenField value={token} onChange={setToken} />
          <Button kind={singleSignOn ? "secondary" : "primary"} type="submit" isPending={pending}>
            Sign in
          </Button>
        </Form>
        <TokenHelp />
      </div>
    </main>
  );
}

/** The page to open afterwards: the one that led here, or the one from which single sign-on began. */
function useFrom(): string {
  const from = useHistoryState<{ from?: string } | null>()?.from ?? new URLSearchParams(location.search).get("from");
  // Two slashes would be another host.
  return from && /^\/(?![/\\])/.test(from) ? from : "/";
}

/** The product, above the form. */
export function Welcome() {
  return (
    <div className="sign-in-welcome">
      <Logo size={48} />
      <p className="sign-in-product">Flag Service</p>
      <p>Release features when you choose, to whom you choose.</p>
    </div>
  );
}

/** Where to get a token, and what the browser keeps of it. */
function TokenHelp() {
  return (
    <>
      <section className="sign-in-help" aria-labelledby="sign-in-help">
        <h2 id="sign-in-help">Where do I get a token?</h2>
        <ul>
          <li>Your first one: open the set-up link that you got from an administrator.</li>
          <li>No link, or the token is lost: ask an administrator for a new link.</li>
          <li>Another one: create it under Tokens while you are signed in.</li>
        </ul>
      </section>
      <p className="sign-in-hint">
        This browser keeps a session of at most 12 hours, not the token. <a href="/docs/">Documentation</a>
      </p>
    </>
  );
}

/** Opens over the page, so that no input is lost. Afterwards the waiting requests are sent again. */
export function SignInDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { token, setToken, problem, pending, submit } = useSignIn();
  useResumeOnReturn();
  return (
    <Dialog title="Your session has ended" dismissable={false} onClose={onClose}>
      <Form problem={problem} pending={pending} onSubmit={submit}>
        <DialogBody>
          <p>
            Sign in again as{" "}
            <strong>
              <bdi>{session.user.name}</bdi>
            </strong>{" "}
            to continue. Your input is still here.
          </p>
          {singleSignOn && (
            <>
              <SingleSignOnLink from="/" newTab />
              <p className="sign-in-hint">This opens a new tab. Come back to this one when you have signed in.</p>
              <p className="sign-in-or">or</p>
            </>
          )}
          <AccessTokenField value={token} onChange={setToken} />
        </DialogBody>
        <DialogButtons>
          <Button kind="quiet" onPress={() => void signOut()}>
            Sign out
          </Button>
          <Button kind="primary" type="submit" isPending={pending}>
            Sign in and continue
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

/** Single sign-on happens in another tab. */
function useResumeOnReturn(): void {
  useEffect(() => {
    if (singleSignOn === undefined) return;
    // Without an answer from the server the dialog stays.
    const resume = () => void resumeSession().catch(() => {});
    window.addEventListener("focus", resume);
    document.addEventListener("visibilitychange", resume);
    return () => {
      window.removeEventListener("focus", resume);
      document.removeEventListener("visibilitychange", resume);
    };
  }, []);
}
