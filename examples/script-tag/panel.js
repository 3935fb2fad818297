// The panel beside the shop: the current user, each feature's variant, and a log of the client's events. Only npm run demo lets
// the page switch features: its config.js says where, and switches.js does it. Otherwise the panel shows them.
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
  const { administration } = window.shopConfig;
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
    document.querySelector("[data-features]").append(...Object.entries(shop.features).map(featureRow));
    showAll("[data-total]", Object.keys(shop.features).length);
    for (const entry of log) addToLog(entry);
    showPerson();
    showConnection();
    showFeatures();
    showEvaluations();
    document.querySelector(".panel").classList.add("filled");
    openSheetWithBar();
    if (administration) offerSwitches();
  }

  /** In a narrow window the panel is a sheet at the bottom of it. */
  function openSheetWithBar() {
    const panel = document.querySelector(".panel");
    const bar = document.querySelector("[data-panel-bar]");
    const setOpen = (isOpen) => {
      panel.classList.toggle("open", isOpen);
      bar.setAttribute("aria-expanded", isOpen);
    };
    bar.addEventListener("click", () => setOpen(!panel.classList.contains("open")));
    document.querySelector(".skip").addEventListener("click", () => setOpen(true));
    panel.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" || !panel.classList.contains("open")) return;
      setOpen(false);
      bar.focus();
    });
  }

  function offerSwitches() {
    explain();
    const more = document.querySelector("[data-more]");
    more.hidden = false;
    more.innerHTML = `
      Decide who gets a feature in the <a data-link="features" target="_blank">administration</a>: sign in with the token that
      <code>npm run demo</code> printed. Each change is a mark on the <a data-link="chart" target="_blank">chart</a>. In a
      terminal, use: <code class="command">npm run flip -- new-checkout</code>`;
    more.querySelector("[data-link='features']").href = `/projects/${administration.project}/features`;
    more.querySelector("[data-link='chart']").href = administration.chart;
    document.head.append(Object.assign(document.createElement("script"), { src: "switches.js" }));
  }

  /** Says what the switches do, or why they do not work. */
  function explain(problem) {
    const what = document.querySelector("[data-what]");
    what.classList.toggle("wrong", problem !== undefined);
    what.textContent = problem ?? "Each switch turns a part of this shop on or off while it is open.";
  }

  function personChoice([key, { name }]) {
    const label = document.createElement("label");
    label.innerHTML = `<input type="radio" name="person" value="${key}" data-person="${key}"><span>${name}</span>`;
    label.querySelector("input").addEventListener("change", () => choosePerson(key));
    return label;
  }

  function choosePerson(key) {
    connection = "starting";
    shop.switchTo(key);
    showPerson();
    showConnection();
  }

  function showPerson() {
    const key = shop.person();
    const { name, user } = shop.people[key];
    document.querySelector(`[data-person="${key}"]`).checked = true;
    const known = Object.entries(user?.attributes ?? {}).map(([attribute, value]) => `${attribute} ${value}`);
    document.querySelector("[data-person-detail]").textContent = user
      ? `Known about ${name}: ${known.join(", ")}`
      : "Nothing is known: this browser has a random id";
    showAll("[data-person-shown]", name);
  }

  function showAll(places, text) {
    for (const place of document.querySelectorAll(places)) place.textContent = text;
  }

  function featureRow([key, { name, effect }]) {
    const row = document.createElement("li");
    row.dataset.feature = key;
    const address = `/projects/${administration?.project}/features/${key}`;
    row.innerHTML = administration
      ? `<button type="button" class="flag" role="switch" aria-checked="false" aria-disabled="true" aria-describedby="note-${key}">
          <span class="track"></span><span>${name}</span></button>
        <span class="value"></span>
        <a class="administer" href="${address}" target="_blank" aria-label="${name} in the administration">
          <svg viewBox="0 0 12 12" aria-hidden="true"><path d="M4 1H1v10h10V8M6.5 1H11v4.5M11 1L5 7"/></svg></a>`
      : `<span class="flag"><span class="pole" aria-hidden="true"></span><span>${name}</span></span><span class="value"></span>`;
    row.insertAdjacentHTML("beforeend", `<span class="note" id="note-${key}">${effect}</span>`);
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
      row.querySelector(".value").textContent = variant;
    }
    showAll("[data-features-on]", on);
  }

  document.addEventListener("shop:changed", ({ detail }) => {
    const changes = detail.map(({ key, variant }) => `${shop.features[key].name}: ${variant}`);
    if (changes.length > 0) showAll("[data-announcement]", changes.join(", "));
  });

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

  window.panel = { listen, open, choosePerson, explain };
}
