// The switches of the panel, in the demo only: npm run demo creates a token for the REST API of the administration, which expires
// after a day, and puts it beside this page. A page of your own must never have such a token: anyone who opens the page could use it.
// biome-ignore lint/suspicious/noRedundantUseStrict: this is a classic script.
"use strict";
{
  const PAGE_SIZE = 200;
  const WAITS_FOR_APPROVAL = 202;
  const UNAUTHORIZED = 401;
  const { clientKey, administration } = window.shopConfig;
  const { project, environment } = administration;
  const features = `/api/v1/projects/${project}/features`;
  /** Feature → whether its targeting is on. */
  let enabled = {};
  /** Person → feature → variant, of those whose id is known. */
  let variants = {};
  /** Feature → why it could not be switched. */
  const problems = new Map();
  const switching = new Set();
  let reading = false;
  let again = false;
  let token;

  for (const row of rows()) switchOf(row).addEventListener("click", () => flip(row.dataset.feature));
  document.addEventListener("shop:changed", () => refresh());
  // Others may have switched something that makes no difference for this user.
  addEventListener("focus", () => refresh());
  refresh();

  /** Turns the feature's targeting on or off in the environment of this shop. */
  async function flip(feature) {
    if (enabled[feature] === undefined || switching.has(feature)) return;
    // A read during the request may change `enabled`.
    const next = !enabled[feature];
    switching.add(feature);
    problems.delete(feature);
    spotlight.expect(feature);
    show();
    try {
      const body = JSON.stringify({ enabled: next });
      const { status } = await ask(`${features}/${feature}/environments/${environment}`, { method: "PATCH", body });
      if (status === WAITS_FOR_APPROVAL) problems.set(feature, "Waits for approval in the administration.");
      else enabled[feature] = next;
    } catch (error) {
      problems.set(feature, error.message);
    }
    if (problems.has(feature)) spotlight.expect(undefined);
    switching.delete(feature);
    show();
    await refresh();
  }

  /** Reads what is switched on, and who gets what. During a read, it reads once more afterwards. */
  async function refresh() {
    again = true;
    if (reading) return;
    reading = true;
    while (again) {
      again = false;
      await read();
    }
    reading = false;
  }

  async function read() {
    let problem;
    try {
      const [{ body }, ...evaluated] = await Promise.all([
        ask(`${features}?environments=true&limit=${PAGE_SIZE}`),
        ...known().map(([, { user }]) => evaluate(user)),
      ]);
      const isHere = ({ environmentKey }) => environmentKey === environment;
      enabled = Object.fromEntries(
        body.items.map(({ key, environments }) => [key, environments.find(isHere)?.enabled]),
      );
      variants = Object.fromEntries(known().map(([person], index) => [person, evaluated[index]]));
    } catch (error) {
      problem = `The switches do not work: ${error.message}`;
    }
    panel.explain(problem);
    show();
  }

  function known() {
    return Object.entries(shop.people).filter(([, { user }]) => user);
  }

  /** What a user gets, over OpenFeature's remote evaluation. It needs no token, and sends no exposures. */
  async function evaluate({ id, attributes }) {
    const body = JSON.stringify({ context: { targetingKey: id, ...attributes } });
    const headers = { authorization: `Bearer ${clientKey}`, "content-type": "application/json" };
    const response = await fetch("/ofrep/v1/evaluate/flags", { method: "POST", headers, body });
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    const { flags } = await response.json();
    return Object.fromEntries(flags.map(({ key, variant }) => [key, variant]));
  }

  async function ask(path, request, isRetry) {
    token ??= await readToken();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(path, { ...request, headers });
    const { status } = response;
    if (status === UNAUTHORIZED) {
      token = undefined;
      // The demo may have been started again, with a new token.
      if (!isRetry) return ask(path, request, true);
      throw new Error("The token has expired. Start npm run demo again.");
    }
    const body = await response.json();
    if (!response.ok) throw new Error(body.detail ?? `The service answered ${status}.`);
    return { status, body };
  }

  async function readToken() {
    return (await (await fetch(administration.access, { cache: "no-store" })).json()).token;
  }

  function show() {
    for (const row of rows()) {
      const feature = row.dataset.feature;
      const isOn = enabled[feature] ?? false;
      switchOf(row).setAttribute("aria-checked", isOn);
      switchOf(row).setAttribute("aria-disabled", enabled[feature] === undefined || switching.has(feature));
      const problem = problems.get(feature);
      note(
        row,
        problem ?? (isOn && row.dataset.variant === "off" ? elsewhere(feature) : undefined),
        problem !== undefined,
      );
    }
  }

  /** Says who gets a feature that is on, but not for the current user. */
  function elsewhere(feature) {
    const { name } = shop.people[shop.person()];
    const other = known().find(([person]) => (variants[person]?.[feature] ?? "off") !== "off")?.[0];
    if (other === undefined) return [`On, but not for ${name}.`];
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `See it as ${shop.people[other].name}`;
    button.addEventListener("click", () => {
      spotlight.expect(feature);
      panel.choosePerson(other);
      switchOf(rowOf(feature)).focus();
    });
    return [`On, but not for ${name}. `, button];
  }

  /** Shows a text below the feature's name instead of its effect, and again its effect. */
  function note(row, contents, isProblem) {
    const place = row.querySelector(".note");
    place.dataset.note = isProblem ? "wrong" : "";
    const parts = [contents ?? shop.features[row.dataset.feature].effect].flat();
    const text = parts.map((part) => part.textContent ?? part).join("");
    // The same button keeps its focus.
    if (place.textContent !== text) place.replaceChildren(...parts);
  }

  function rows() {
    return document.querySelectorAll("[data-feature]");
  }

  function rowOf(feature) {
    return document.querySelector(`[data-feature="${feature}"]`);
  }

  function switchOf(row) {
    return row.querySelector("[role=switch]");
  }
}
