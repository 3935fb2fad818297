"use client";

import FlagService from "flagservice-client";
import { useEffect, useState } from "react";

function init() {
  const baseUrl = typeof location === "undefined" ? undefined : new URLSearchParams(location.search).get("service");
  return FlagService.init("js-key", { id: "ada" }, { baseUrl, bootstrap: { a: "bootstrap" } });
}

export function Feature() {
  const [client] = useState(init);
  useEffect(() => {
    const show = (when) => {
      document.body.dataset[when] = client.evaluate("a").value();
    };
    show("first");
    client.on(FlagService.events.INIT, () => show("loaded"));
    client.on(FlagService.events.UPDATED_FEATURE, () => show("moved"));
    return () => client.close();
  }, [client]);
  return <p id="feature">{client.evaluate("a").value()}</p>;
}
