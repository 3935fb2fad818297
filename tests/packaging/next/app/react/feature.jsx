"use client";

import { useEffect } from "react";
import { FlagServiceProvider, useFeature, useFlagServiceStatus } from "react-flagservice-client";

export function Feature({ id }) {
  return <p id={id}>{useFeature("a").value()}</p>;
}

function Follows() {
  const { status } = useFlagServiceStatus();
  const value = useFeature("a").value();
  useEffect(() => {
    const { dataset } = document.body;
    if (status === "loading") dataset.first = value;
    else if (!dataset.loaded) dataset.loaded = value;
    else dataset.moved = value;
  }, [status, value]);
  return null;
}

export function WithService() {
  const baseUrl = typeof location === "undefined" ? undefined : new URLSearchParams(location.search).get("service");
  const config = { baseUrl, bootstrap: { a: "bootstrap" } };
  return (
    <FlagServiceProvider apiKey="js-key" user={{ id: "ada" }} config={config}>
      <Feature id="feature" />
      <Follows />
    </FlagServiceProvider>
  );
}
