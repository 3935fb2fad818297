// Creates a person's set-up link when the dialog opens.
import { useEffect, useRef, useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import type { Problem } from "../../api/problem.js";
import type { Person } from "./people.js";

interface Link {
  url: string;
  expiresAt: string;
}

export function useSetupLink(person: Person): { link: Link | undefined; problem: Problem | undefined } {
  const [link, setLink] = useState<Link>();
  const create = useChange(
    () => client.POST("/api/v1/users/{userId}/setup-link", { params: { path: { userId: person.id } } }),
    { refresh: [] },
  );
  const { run } = create;
  // Once, also when React runs effects twice: each link makes the one before it useless.
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void run(undefined).then((outcome) => {
      if (outcome.kind !== "done") return;
      // Without a public URL the server answers with a path.
      const url = new URL(outcome.value.url ?? "", location.origin).href;
      setLink({ url, expiresAt: outcome.value.expiresAt });
    });
  }, [run]);
  return { link, problem: create.problem };
}
