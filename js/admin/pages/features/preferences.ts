// The signed-in person's favourites and saved views of a project's feature list.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import { problemText } from "../../api/problem.js";
import { resource, type Versioned } from "../../api/queries.js";
import type { components } from "../../api/schema.js";
import { toast } from "../../parts/feedback/toast.js";

type Preferences = components["schemas"]["Preferences"];
type SavedView = components["schemas"]["SavedView"];

const PATH = "/api/v1/projects/{projectKey}/preferences";

/** Another window may save as well: then the edit is made again on what it saved. */
const ATTEMPTS = 3;

export function usePreferences(project: string) {
  const queries = useQueryClient();
  const options = resource(PATH, { path: { projectKey: project } });
  const { data } = useQuery(options);
  const change = useChange(
    ({ value, version }: Versioned<Preferences>) =>
      client.PUT(PATH, { params: { path: { projectKey: project }, header: ifMatch(version) }, body: value }),
    { refresh: [[PATH]] },
  );
  /** Whether it was saved. If not, a message says why. */
  const edit = async (make: (preferences: Preferences) => Preferences): Promise<boolean> => {
    for (let attempt = 1; ; attempt++) {
      const { value, version } = await queries.ensureQueryData(options);
      const outcome = await change.run({ value: make(value), version });
      if (outcome.kind === "done") return true;
      if (outcome.kind === "conflict" && attempt < ATTEMPTS) continue;
      if (outcome.kind !== "approvalRequested") toast({ tone: "bad", text: problemText(outcome.problem) });
      return false;
    }
  };
  const favourites = useMemo(() => new Set(data?.value.favourites), [data]);
  const setFavourite = (key: string, on: boolean) =>
    edit((old) => {
      const others = old.favourites.filter((favourite) => favourite !== key);
      return { ...old, favourites: on ? [...others, key] : others };
    });
  /** A view of the same name is replaced. */
  const saveView = (view: SavedView) =>
    edit((old) => ({ ...old, views: [...old.views.filter(({ name }) => name !== view.name), view] }));
  const deleteView = (name: string) =>
    edit((old) => ({ ...old, views: old.views.filter((view) => view.name !== name) }));
  return { favourites, views: data?.value.views ?? [], setFavourite, saveView, deleteView };
}

export type PreferenceControls = ReturnType<typeof usePreferences>;
