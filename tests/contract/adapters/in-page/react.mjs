// In the page: react-flagservice-client. `evaluate` puts a component on the page that reads the feature with a hook.
import { exposureIntegration } from "flagservice-client";
import { createElement, useEffect } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { FlagServiceProvider, useFeature, useFlagService } from "react-flagservice-client";
import { configOf, drive } from "./client.mjs";

export function create(options, emit) {
  const config = configOf({ exposureIntegration }, options, emit);
  const page = new Page(options.key, config);
  let client;
  let driven;
  page.show(options.user, (mounted) => {
    client = mounted;
    driven = drive(client, options, emit);
  });
  const commands = {
    evaluate: ({ key }) => ({ value: page.read(key) }),
    updateUser: ({ user }) =>
      new Promise((resolve) => {
        client.on("INIT", () => resolve({ features: client.getFeatures() }));
        client.on("ERROR", () => resolve({}));
        page.show(user);
      }),
  };
  return {
    run: (command) => commands[command.command]?.(command) ?? driven.run(command),
    close: () => page.root.unmount(),
  };
}

class Page {
  root = createRoot(document.body.appendChild(document.createElement("div")));

  constructor(apiKey, config) {
    Object.assign(this, { apiKey, config });
  }

  /** Renders for a user, and calls `mounted` with the client as an effect of the application does. */
  show(user, mounted = () => {}) {
    this.user = user;
    this.render(createElement(Mounted, { key: "mounted", mounted }));
  }

  /** The value of a feature in a component, which is on the page for a moment. */
  read(feature) {
    let value;
    const onValue = (read) => {
      value = read;
    };
    this.render(createElement(Reader, { key: "reader", feature, onValue }));
    this.render();
    return value;
  }

  render(child) {
    const { apiKey, user, config } = this;
    flushSync(() => this.root.render(createElement(FlagServiceProvider, { apiKey, user, config }, child)));
  }
}

function Mounted({ mounted }) {
  const client = useFlagService();
  useEffect(() => mounted(client), [client, mounted]);
  return null;
}

function Reader({ feature, onValue }) {
  const value = useFeature(feature).value();
  onValue(value);
  return createElement("p", null, value);
}
