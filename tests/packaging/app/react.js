import { createElement, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { FlagServiceProvider, useFeature, useFlagServiceStatus } from "react-flagservice-client";

/** It shows on <body> what follow.js shows. */
function Follows() {
  const { status } = useFlagServiceStatus();
  const value = useFeature("a").value();
  useEffect(() => {
    const { dataset } = document.body;
    if (status === "loading") dataset.first = value;
    else if (!dataset.loaded) dataset.loaded = value;
    else dataset.moved = value;
  }, [status, value]);
  return createElement("p", { id: "feature" }, value);
}

const config = { baseUrl: new URLSearchParams(location.search).get("service"), bootstrap: { a: "bootstrap" } };
const place = document.body.appendChild(document.createElement("div"));
createRoot(place).render(
  createElement(FlagServiceProvider, { apiKey: "js-key", user: { id: "ada" }, config }, createElement(Follows)),
);
