// The panel beside the shop: the current user, each feature's variant, and a log of the client's events.
// biome-ignore lint/suspicious/noRedundantUseStrict: this is a classic script.
"use strict";
{
  const LOG_LENGTH = 40;
  const EVALUATION_LIST_LENGTH = 12;
  const CONNECTIONS = {
    starting: "Starting",
    cached: "From cache, loading",
    live: "Live",
    interrupted: "Disconnected, showing the last values",
  };
  const log = [];
  const latestEvaluations = [];
  let evaluations = 0;
  let goals = 0;
  let connection = "starting";
  let opened = false;
  let loadedOnce = false;

  /** Called in the tick of init, so that no event is missed. */
  function listen(client) {
    const { events } = FlagService;
    client.on(events.LOADED_FROM_CACHE, (features) => record("LOADED_FROM_CACHE", countOf(features), "cached"));
    client.on(events.INIT, (features) => record("INIT", countOf(features), "live"));
    client.on(events.UPDATED_FEATURE, (features) => record("UPDATED_FEATURE", pairsOf(features), "live"));
    client.on(events.ERROR, (message) => record("ERROR", message, "interrupted"));
    client.on(events.EVALUATION, ({ key, variant }) => {
      evaluations += 1;
      latestEvaluations.unshift(`${key} = ${variant}`);
      latestEvaluations.length = Math.min(latestEvaluations.length, EVALUATION_LIST_LENGTH);
      requestEvaluations();
    });
  }

  document.addEventListener("shop:goal", ({ detail: goal }) => {
    goals += 1;
    record("goal", goal);
  });

  function record(name, text, state) {
    connection = state ?? connection;
    log.push({ name, text, at: new Date() });
    if (!opened) return;
    addToLog(log.at(-1));
    showConnection();
    showFeatures();
    loadedOnce ||= name === "INIT";
    showGoals();
  }

  function open() {
    opened = true;
    document.querySelector("[data-people]").append(...Object.entries(shop.people).map(personChoice));
    document.querySelector("[data-features]").append(...shop.features.map(featureRow));
    document.querySelector("[data-total]").textContent = shop.features.length;
    for (const entry of log) addToLog(entry);
    showPerson();
    showConnection();
    showFeatures();
    showEvaluations();
  }

  function personChoice([key, { name }]) {
    const label = document.createElement("label");
    label.innerHTML = `<input type="radio" name="person" value="${key}" data-person="${key}"><span>${name}</span>`;
    const input = label.querySelector("input");
    input.checked = key === shop.person();
    input.addEventListener("change", () => {
      connection = "starting";
      shop.switchTo(key);
      showPerson();
      showConnection();
      showFeatures();
    });
    return label;
  }

  function showPerson() {
    const { user } = shop.people[shop.person()];
    const parts = Object.entries(user?.attributes ?? {}).map(([name, value]) => `${name} ${value}`);
    document.querySelector("[data-person-detail]").textContent = user
      ? `id ${user.id} · ${parts.join(" · ")}`
      : "no id: this browser stores a random one";
  }

  function featureRow(key) {
    const row = document.createElement("li");
    row.dataset.feature = key;
    row.innerHTML = `<span class="pennant" aria-hidden="true"></span><code>${key}</code><output></output>`;
    return row;
  }

  function showFeatures() {
    const features = shop.client.evaluateAll();
    let on = 0;
    for (const row of document.querySelectorAll("[data-feature]")) {
      const variant = features[row.dataset.feature] ?? "off";
      if (variant !== "off") on += 1;
      if (row.dataset.variant === variant) continue;
      // The first load is not a change.
      if (loadedOnce) flash(row);
      row.dataset.variant = variant;
      row.querySelector("output").textContent = variant;
    }
    document.querySelector("[data-features-on]").textContent = on;
  }

  function flash(row) {
    row.classList.remove("changed");
    // Reading the size restarts the animation for a row that is still flashing.
    void row.offsetWidth;
    row.classList.add("changed");
  }

  function showConnection() {
    document.querySelector("[data-connection]").dataset.connection = connection;
    const text = document.querySelector("[data-connection-text]");
    if (text.textContent !== CONNECTIONS[connection]) text.textContent = CONNECTIONS[connection];
  }

  function addToLog({ name, text, at }) {
    const list = document.querySelector("[data-log]");
    const entry = document.createElement("li");
    entry.dataset.event = name;
    const time = document.createElement("time");
    time.textContent = at.toLocaleTimeString("en-GB");
    const event = document.createElement("span");
    event.className = "event-name";
    event.textContent = name;
    const detail = document.createElement("span");
    detail.className = "event-detail";
    detail.textContent = text;
    entry.append(time, event, detail);
    list.prepend(entry);
    while (list.children.length > LOG_LENGTH) list.lastElementChild.remove();
  }

  function showGoals() {
    document.querySelector("[data-goals]").textContent = goals === 1 ? "1 goal sent" : `${goals} goals sent`;
  }

  let evaluationsRequested = false;

  /** Evaluations come a dozen at a time; the count is rendered once per frame. */
  function requestEvaluations() {
    if (evaluationsRequested || !opened) return;
    evaluationsRequested = true;
    requestAnimationFrame(() => {
      evaluationsRequested = false;
      showEvaluations();
    });
  }

  function showEvaluations() {
    document.querySelector("[data-evaluations]").textContent = evaluations;
    const items = latestEvaluations.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
    document.querySelector("[data-evaluation-list]").replaceChildren(...items);
  }

  function countOf(features) {
    const number = Object.keys(features).length;
    return number === 1 ? "1 feature" : `${number} features`;
  }

  function pairsOf(features) {
    return Object.entries(features)
      .map(([key, variant]) => `${key} → ${variant ?? "removed"}`)
      .join(", ");
  }

  window.panel = { listen, open };
}
