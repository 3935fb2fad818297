// A client: the methods that the page calls.

import { type Features, toObject } from "../shared/features.js";
import { type HasState, STATE } from "../shared/state.js";
import { anonymousId, link, renewAnonymousId, store } from "./anonymous-id.js";
import { cachedFeatures, entryName } from "./cache.js";
import type { Settings } from "./config.js";
import type { CoreSource } from "./core.js";
import { CoreHost } from "./core-host.js";
import type { Client } from "./public.js";
import { type CheckedUser, checkedUser, publicUser } from "./user.js";

/** Creates a client for a user, and what starts its core. */
export function createClient(
  source: CoreSource,
  apiKey: string,
  user: unknown,
  settings: Settings,
): [Client, CoreHost] {
  const { baseUrl, bootstrap, defaults, live, logger } = settings;
  const host = new CoreHost(settings, source, `${baseUrl}/client/v1/${encodeURIComponent(apiKey)}/`);

  const updateUser = (
    { id: givenId, attributes }: CheckedUser,
    bootstrap?: Features,
    callback?: (features: Record<string, string>) => void,
  ): void => {
    const id = givenId ?? anonymousId(settings);
    const entry = live ? entryName(apiKey, id, attributes) : "";
    const cached = live && !bootstrap ? cachedFeatures(entry) : undefined;
    // Later, so that nothing remains of a client that is closed in the same tick.
    if (givenId === undefined)
      queueMicrotask(() => !host._closed && host._user.id === id && link(store(id, settings), settings));
    host._updateUser({ id, attributes, entry, bootstrap, cached, user: publicUser(id, attributes) }, callback);
  };

  updateUser(checkedUser(user, logger), bootstrap);

  // Most evaluations end here.
  const answers = host._answers;
  const client: Client & HasState = {
    evaluate: (key) => answers.get(key) ?? host._evaluate(key),
    evaluateAll: () => host._features(true),
    getFeatures: () => host._features(false),
    getUser: () => host._user.user,
    goal: (key) => host._goal(key),
    updateUser(user, callback) {
      if (host._closed) return;
      updateUser(checkedUser(user, logger), undefined, typeof callback === "function" ? callback : undefined);
    },
    on: (event, callback, bindContext) => host._on(event, callback, bindContext),
    off: (event, callback) => host._off(event, callback),
    getAnonymousId() {
      const id = anonymousId(settings);
      return host._closed ? id : store(id, settings);
    },
    resetAnonymousId: () => renewAnonymousId(settings, host._user.id),
    hasReceivedInitialResponse: () => host._hasReceived(),
    close: () => host._closed || host._close(),
    [STATE]: () => [
      { ...toObject(defaults), ...toObject(bootstrap ?? defaults) },
      !!host._reported,
      host._ended === host._user,
    ],
  };
  return [client, host];
}
