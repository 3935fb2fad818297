import * as amplitude from "@amplitude/analytics-browser";
import { startFlags } from "./flags.js";

const app = document.querySelector("#app");
const seen = document.querySelector("#seen");

const flags = startFlags(({ key, variant }) => {
  const line = document.createElement("li");
  line.textContent = `${key}: ${variant}`;
  seen.append(line);
});

function render() {
  document.documentElement.dataset.color = flags.evaluate("banner-color").value();
  app.innerHTML = `
    <p class="banner">Roasted on the quay, on Tuesdays and Fridays.</p>
    <h1>Halyard Coffee</h1>
    <p class="basket">Kilo, Kenya, washed <b>€16.00</b></p>
    <button type="button">${flags.evaluate("new-checkout").isOn() ? "Buy now" : "Go through the three steps"}</button>
    <p class="thanks" role="status"></p>`;
}

app.addEventListener("click", ({ target }) => {
  if (!target.closest("button")) return;
  amplitude.track("Purchase", { amount: 16 });
  app.querySelector(".thanks").textContent = "Thank you. The roastery lights its lamp.";
});

// Each evaluation is an exposure. So render only once there are values from the cache or the service: a default that is shown
// for an instant would count too. After an error the page shows the defaults.
for (const event of ["LOADED_FROM_CACHE", "INIT", "UPDATED_FEATURE", "ERROR"]) flags.on(event, render);
