import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk";
import { FlagServiceWebProvider } from "flagservice-openfeature-web";

const { FLAGSERVICE_CLIENT_KEY, FLAGSERVICE_URL } = import.meta.env;

/** OpenFeature's contexts are Flag Service's users: `targetingKey` is the id, everything else an attribute. */
const PEOPLE = {
  ada: { targetingKey: "ada", country: "SE", plan: "pro" },
  bo: { targetingKey: "bo", country: "US", plan: "free" },
};

const app = document.querySelector("#app");
const flags = OpenFeature.getClient();

function render() {
  document.documentElement.dataset.color = flags.getStringValue("banner-color", "off");
  app.innerHTML = `
    <p class="banner">Roasted on the quay, on Tuesdays and Fridays.</p>
    <h1>Halyard Coffee</h1>
    <p class="basket">Kilo, Kenya, washed <b>€16.00</b></p>
    ${flags.getBooleanValue("express-delivery", false) ? "<p>Today by cargo bicycle, before six: <b>€3.50</b></p>" : ""}
    <button type="button">${flags.getBooleanValue("new-checkout", false) ? "Buy now" : "Go through the three steps"}</button>
    <p class="thanks" role="status"></p>`;
}

app.addEventListener("click", ({ target }) => {
  if (!target.closest("button")) return;
  flags.track("purchase");
  app.querySelector(".thanks").textContent = "Thank you. The roastery lights its lamp.";
});

// Loads the features of another person. ContextChanged then redraws the page.
document
  .querySelector("#people")
  .addEventListener("change", ({ target }) => OpenFeature.setContext(PEOPLE[target.value]));

const { ConfigurationChanged, ContextChanged, Error: Failed, Ready } = ProviderEvents;
for (const event of [Ready, ConfigurationChanged, ContextChanged, Failed]) flags.addHandler(event, render);
OpenFeature.setProvider(new FlagServiceWebProvider(FLAGSERVICE_CLIENT_KEY, { baseUrl: FLAGSERVICE_URL }), PEOPLE.ada);
