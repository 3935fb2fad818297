import { flags } from "./flags";

const app = document.querySelector("#app") as HTMLElement;
let thanks = "";

function render() {
  document.documentElement.dataset.color = flags.evaluate("banner-color").value();
  app.innerHTML = `
    ${flags.evaluate("free-shipping-banner").isOn() ? `<p class="banner">Delivery is on us, above €40.</p>` : ""}
    <h1>Halyard Coffee</h1>
    <p class="basket">Kilo, Kenya, washed <b>€16.00</b></p>
    ${flags.evaluate("new-checkout").isOn() ? onePage : threeSteps}
    <p class="thanks" role="status">${thanks}</p>`;
}

const onePage = `
  <p>Everything on one page, paid with the card you used last.</p>
  <button type="button">Buy now</button>`;

const threeSteps = `
  <ol><li>Address</li><li>Delivery</li><li>Payment</li></ol>
  <button type="button">Go through the three steps</button>`;

app.addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  flags.goal("purchase");
  thanks = "Thank you. The roastery lights its lamp.";
  render();
});

// INIT is for the first visit, when nothing is cached; UPDATED_FEATURE for changes while the page is open.
flags.on("INIT", render);
flags.on("UPDATED_FEATURE", render);
render();
