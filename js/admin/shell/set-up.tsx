// The page of a set-up link: the invited person creates their own token, once, and is signed in with it.
import { useState } from "react";
import { Redirect } from "wouter";
import { ApiError, type Problem, problemFrom, problemOf } from "../api/problem.js";
import { signIn } from "../api/session.js";
import { Button } from "../parts/button/button.js";
import { Copyable } from "../parts/button/copyable.js";
import { Banner } from "../parts/feedback/banner.js";
import { Form } from "../parts/form/form.js";
import { TextField } from "../parts/form/text-field.js";
import { Welcome } from "./sign-in.js";

interface Created {
  user: { name: string };
  token: string;
}

async function createToken(secret: string, name: string): Promise<Created> {
  const headers = { "content-type": "application/json" };
  const response = await fetch("/ui/set-up", { method: "POST", headers, body: JSON.stringify({ secret, name }) });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(problemOf(body, response));
  return body as Created;
}

/** Runs one request at a time, and keeps why the last one failed. */
function useAttempt() {
  const [problem, setProblem] = useState<Problem>();
  const [pending, setPending] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setPending(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(problemFrom(error));
    } finally {
      setPending(false);
    }
  };
  return { attempt: (work: () => Promise<void>) => void attempt(work), problem, pending };
}

export function SetUpPage() {
  const [secret] = useState(() => location.hash.slice(1));
  const [name, setName] = useState("Browser");
  const [created, setCreated] = useState<Created>();
  const [done, setDone] = useState(false);
  const { attempt, problem, pending } = useAttempt();
  if (done) return <Redirect to="/" replace />;
  const create = () => attempt(async () => setCreated(await createToken(secret, name)));
  const enter = ({ token }: Created) =>
    attempt(async () => {
      await signIn(token);
      setDone(true);
    });
  return (
    <main className="sign-in">
      <title>Set up your access · Flag Service</title>
      <Welcome />
      <div className="sign-in-card">
        {created ? (
          <>
            <h1>
              Welcome, <bdi>{created.user.name}</bdi>
            </h1>
            <Banner tone="warn">Copy your token now. You won't be able to see it again.</Banner>
            <Copyable text={created.token} label="token" />
            <p>You sign in with it. Keep it like a password.</p>
            <Form problem={problem} pending={pending} onSubmit={() => enter(created)}>
              <Button kind="primary" type="submit" isPending={pending}>
                I've copied it, sign in
              </Button>
            </Form>
          </>
        ) : (
          <>
            <h1>Set up your access</h1>
            <p>Create the token with which you sign in. The link works once.</p>
            <Form problem={problem} pending={pending} onSubmit={create}>
              <TextField label="Name of the token" name="name" isRequired autoFocus value={name} onChange={setName} />
              <Button kind="primary" type="submit" isPending={pending}>
                Create my token
              </Button>
            </Form>
          </>
        )}
      </div>
    </main>
  );
}
