// Renders the shop's page as HTML. All values in it are constants or validated.
const COUNTRIES = { "": "a country", DE: "Germany", NO: "Norway", SE: "Sweden" };

export function page({ onePage, express, color, country, bought }) {
  const options = Object.entries(COUNTRIES).map(
    ([code, name]) => `<option value="${code}"${code === country ? " selected" : ""}>${name}</option>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Halyard Coffee</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css">
  </head>
  <body>
    <main>
      <p class="banner" data-color="${color}">Beans that came by sea.</p>
      <h1>Halyard Coffee</h1>
      <form action="/">
        <label>Deliver to <select name="country">${options.join("")}</select></label>
        <button>Choose</button>
      </form>
      ${express ? '<p class="express">Today by cargo bicycle, before six.</p>' : ""}
      <form class="checkout" action="/purchases${country ? `?country=${country}` : ""}" method="post">
        <h2>Checkout</h2>
        <p>${onePage ? "Everything on one page." : "Address, delivery, payment: three pages."}</p>
        <button>${onePage ? "Buy now" : "Go through the three steps"}</button>
        <p class="thanks" role="status">${bought ? 'Thank you. The goal "purchase" is being sent.' : ""}</p>
      </form>
    </main>
  </body>
</html>
`;
}
