// A client: the methods that the page calls.

import type { Features } from "../shared/features.js";
import { anonymousId, link, renewAnonymousId } from "./anonymous-id.js";
import { cachedFeatures, entryName } from "./cache.js";
import type { Settings } from "./config.js";
import type { CoreSource } from "./core.js";
import { CoreHost } from "./core-host.js";
import { Evaluator } from "./evaluator.js";
import { EventDispatcher } from "./event-dispatcher.js";
import type { Client } from "./public.js";
import { type CheckedUser, checkedUser, publicUser } from "./user.js";

/** Creates a client for a user, with a core from the given source. */
export function createClient(source: CoreSource, apiKey: string, user: unknown, settings: Settings): Client {
  const { live, logger } = settings;
  const getFeatures = () => host._features(false);
  const dispatcher = new EventDispatcher(logger, getFeatures);
  const evaluator = new Evaluator(settings, dispatcher, (key) => host._query((core) => core._value(key)));
  const address = `${settings.baseUrl}/client/v1/${encodeURIComponent(apiKey)}/`;
  const host = new CoreHost(settings, address, evaluator, dispatcher);

  const setUser = ({ id: givenId, attributes }: CheckedUser, bootstrap?: Features): void => {
    const id = givenId ?? anonymousId(settings);
    const entry = live ? entryName(apiKey, id, attributes) : "";
    const cached = live && !bootstrap ? cachedFeatures(entry) : undefined;
    evaluator._user = publicUser(id, attributes);
    if (givenId === undefined) queueMicrotask(() => evaluator._user.id === id && link(id, settings));
    host._setUser({ id, attributes, entry, bootstrap, cached });
  };

  host._tryToStart(source._loaded);
  setUser(checkedUser(user, logger), settings.bootstrap);
  host._load(source);

  return {
    evaluate: (key) => evaluator._evaluate(key),
    evaluateAll: () => host._features(true),
    getFeatures,
    getUser: () => evaluator._user,
    goal(key) {
      if (typeof key !== "string" || !key) return logger.warn("goal needs a goal key (a string).");
      // If the page is about to unload, a goal that waits for the core would be lost.
      host._tryToStart(source._loadSync);
      host._query((core) => core._goal(key));
    },
    updateUser(user, callback) {
      if (host._closed) return;
      if (typeof callback === "function") dispatcher._callbacks.push(callback);
      setUser(checkedUser(user, logger));
    },
    on(event, callback, bindContext) {
      if (host._closed) return;
      dispatcher._on(event, callback, bindContext);
      evaluator._invalidate();
    },
    off: (event, callback) => dispatcher._off(event, callback),
    getAnonymousId: () => anonymousId(settings),
    resetAnonymousId: () => renewAnonymousId(settings, evaluator._user.id),
    hasReceivedInitialResponse: () => dispatcher._received,
    close() {
      if (host._closed) return;
      dispatcher._listeners.clear();
      evaluator._integrations = [];
      host._close();
    },
  };
}
