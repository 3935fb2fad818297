// What every page of these tests does: it shows on <body> what a feature is at once, once loaded, and when it moves.

export function follow(FlagService) {
  const { service: baseUrl, noWasmUrl } = Object.fromEntries(new URLSearchParams(location.search));
  const client = FlagService.init("js-key", { id: "ada" }, { baseUrl, noWasmUrl, bootstrap: { a: "bootstrap" } });
  const show = (when) => {
    document.body.dataset[when] = client.evaluate("a").value();
  };
  show("first");
  client.on(FlagService.events.INIT, () => show("loaded"));
  client.on(FlagService.events.UPDATED_FEATURE, () => show("moved"));
}
