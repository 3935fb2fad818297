// Signing in with a personal access token: as a page, and over a page whose session has ended.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Navigate, useLocation } from "react-router";
import { type Problem, problemFrom } from "../api/problem.js";
import { type Session, signIn, signOut, useSessionState } from "../api/session.js";
import { Button } from "../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../parts/dialog/dialog.js";
import { Mark } from "../parts/display/icon.js";
import { Form } from "../parts/form/form.js";
import { TextField } from "../parts/form/text-field.js";

/** The token in the making, and what came of sending it. */
function useSigningIn() {
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

function TokenField({ value, onChange }: { value: string; onChange: (token: string) => void }) {
  return (
    <TextField
      label="Personal access token"
      name="token"
      type="password"
      autoComplete="current-password"
      autoFocus
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
  const from = (useLocation().state as { from?: string } | null)?.from ?? "/";
  const { token, setToken, problem, pending, submit } = useSigningIn();
  if (state.status === "in") return <Navigate to={from} replace />;
  return (
    <main className="sign-in">
      <title>Sign in · Flag Service</title>
      <div className="sign-in-card">
        <div className="sign-in-brand">
          <Mark />
          <span>Flag Service</span>
        </div>
        <h1>Sign in</h1>
        <Form problem={problem} onSubmit={submit}>
          <TokenField value={token} onChange={setToken} />
          <Button kind="primary" type="submit" isPending={pending}>
            Sign in
          </Button>
        </Form>
        <p className="sign-in-hint">
          Tokens begin with <code>api-</code>. An administrator makes the first one for you; later ones you make
          yourself under Tokens.
        </p>
      </div>
    </main>
  );
}

/** Over the page, so that nothing that was typed there is lost. What was asked is asked again afterwards. */
export function EndedSession({ session }: { session: Session }) {
  const { token, setToken, problem, pending, submit } = useSigningIn();
  return (
    <Dialog title="Your session has ended" dismissable={false} onClose={() => {}}>
      <Form problem={problem} onSubmit={submit}>
        <DialogBody>
          <p>
            Sign in again as <strong>{session.user.name}</strong> to go on where you were. What you have entered is
            still here.
          </p>
          <TokenField value={token} onChange={setToken} />
        </DialogBody>
        <DialogButtons>
          <Button kind="quiet" onPress={() => void signOut()}>
            Leave
          </Button>
          <Button kind="primary" type="submit" isPending={pending}>
            Sign in and go on
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

/** What was read for one person is not shown to the next. */
export function useForgettingOthers(userId: string): void {
  const queries = useQueryClient();
  const [known, setKnown] = useState(userId);
  useEffect(() => {
    if (known === userId) return;
    setKnown(userId);
    void queries.resetQueries();
  }, [known, userId, queries]);
}
