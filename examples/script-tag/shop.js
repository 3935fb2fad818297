// The shop: starts the client, sets each feature's variant as an attribute of <html> for the style sheet, and has the basket.
// It is loaded in the head, so that the first painted frame is already right.
// biome-ignore lint/suspicious/noRedundantUseStrict: this is a classic script.
"use strict";
{
  // In the order of the page. `effect` is for the panel: what one sees while the feature is on.
  const FEATURES = {
    "free-shipping-banner": { name: "Free shipping banner", effect: "Free delivery for orders above €40" },
    "banner-color": { name: "Banner colour", effect: "The top line in one of three colours" },
    "search-suggestions": { name: "Search suggestions", effect: "Popular searches below the search box" },
    "loyalty-points": { name: "Loyalty points", effect: "Points for the order, below the basket" },
    "new-checkout": { name: "New checkout", effect: "Checkout on one page instead of three" },
    "express-delivery": { name: "Express delivery", effect: "Delivery today, by cargo bicycle" },
    "winter-sale": { name: "Winter sale", effect: "15% off every bag" },
    reviews: { name: "Reviews", effect: "Stars from other customers" },
    "dark-roast-weekend": { name: "Dark roast weekend", effect: "One more coffee on the shelf" },
    recommendations: { name: "Recommendations", effect: "Two coffees picked for the user" },
    "gift-cards": { name: "Gift cards", effect: "A section and a menu entry" },
    "sticky-basket": { name: "Sticky basket", effect: "The total stays in view at the bottom" },
  };

  const PEOPLE = {
    ada: { name: "Ada", user: { id: "ada", attributes: { country: "SE", plan: "pro" } } },
    bo: { name: "Bo", user: { id: "bo-nash", attributes: { country: "US", plan: "free" } } },
    chen: {
      name: "Chen",
      user: { id: "chen", attributes: { country: "CN", plan: "team", email: "chen@acme.example" } },
    },
    anonymous: { name: "Anonymous", user: undefined },
  };

  const COFFEES = {
    echo: { name: "Echo", from: "Ethiopia, Guji", notes: "washed · bergamot, apricot", stars: 4.8, reviews: 212 },
    kilo: { name: "Kilo", from: "Kenya, Nyeri", notes: "washed · blackcurrant, citrus", stars: 4.7, reviews: 148 },
    charlie: {
      name: "Charlie",
      from: "Colombia, Huila",
      notes: "honey · red apple, caramel",
      stars: 4.6,
      reviews: 305,
    },
    papa: { name: "Papa", from: "Peru, Cajamarca", notes: "washed · cocoa, hazelnut", stars: 4.5, reviews: 97 },
    india: {
      name: "India",
      from: "India, Malabar",
      notes: "monsooned · dark chocolate, spice",
      stars: 4.9,
      reviews: 64,
    },
  };

  const SALE = 0.85;
  const FREE_DELIVERY_FROM = 40;
  const DELIVERY = 4.5;
  const EXPRESS = 3.5;
  const PERSON_KEY = "halyard-person";

  const basket = new Map([
    ["echo", 1],
    ["kilo", 2],
  ]);
  let person = storedPerson();
  const client = FlagService.init(window.shopConfig.clientKey, PEOPLE[person].user);
  /** Whether the values of the service were shown. Before that nothing changes: the page opens. */
  let loaded = false;
  panel.listen(client);
  for (const event of ["LOADED_FROM_CACHE", "INIT", "UPDATED_FEATURE", "ERROR"])
    client.on(FlagService.events[event], showFeatures);
  client.on(FlagService.events.INIT, () => {
    loaded = true;
  });
  showFeatures();

  /** Sets each variant as an attribute of <html>. The style sheet shows and hides by these, within one frame. */
  function showFeatures() {
    const changes = [];
    for (const key of Object.keys(FEATURES)) {
      const variant = client.evaluate(key).value();
      if (document.documentElement.getAttribute(`data-${key}`) !== variant) changes.push({ key, variant });
    }
    announce("shop:changing", changes);
    for (const { key, variant } of changes) document.documentElement.setAttribute(`data-${key}`, variant);
    if (document.querySelector("[data-lines] li")) showBasket();
    announce("shop:changed", changes);
  }

  /** Tells the page's other scripts, before and after a change. */
  function announce(name, changes) {
    if (loaded) document.dispatchEvent(new CustomEvent(name, { detail: changes }));
  }

  function open() {
    for (const tile of document.querySelectorAll("[data-coffee]"))
      tile.innerHTML = coffeeTile(tile.dataset.coffee, Number(tile.dataset.price));
    document.addEventListener("click", (click) => {
      const button = click.target.closest("button");
      if (!button) return;
      if (button.dataset.add) change(button.dataset.add, 1);
      if (button.dataset.remove) change(button.dataset.remove, -1);
      if (button.dataset.suggestion) search(button.dataset.suggestion);
      if (button.dataset.action === "buy") buy();
    });
    document.querySelector("#search").addEventListener("input", (input) => search(input.target.value));
    document.querySelector(".express input").addEventListener("change", showBasket);
    showPerson();
    showBasket();
  }

  function coffeeTile(key, price) {
    const coffee = COFFEES[key];
    return `
      <div class="bag" aria-hidden="true">
        <svg class="bag-shape"><use href="#bag"/></svg>
        <svg class="bag-flag"><use href="#flag-${key}"/></svg>
      </div>
      <h3>${coffee.name}</h3>
      <p class="from">${coffee.from}</p>
      <p class="notes">${coffee.notes}</p>
      <p class="stars" data-shows="reviews">
        <span aria-hidden="true">★</span> ${coffee.stars} <span class="of">from ${coffee.reviews} reviews</span>
      </p>
      <p class="price" data-changes="winter-sale">
        <span class="full">${euro(price)}</span> <span class="sale">${euro(price * SALE)}</span> <span class="per">250 g</span>
      </p>
      <button type="button" class="add" data-add="${key}">Add<span class="spoken"> ${coffee.name} to the basket</span></button>`;
  }

  function change(key, by) {
    const bags = (basket.get(key) ?? 0) + by;
    if (bags > 0) basket.set(key, bags);
    else basket.delete(key);
    showBasket();
  }

  function showBasket() {
    const sums = order();
    const lines = [...basket].map(
      ([key, bags]) => `
      <li><svg aria-hidden="true"><use href="#flag-${key}"/></svg><span>${COFFEES[key].name}</span>
        <span class="bags">
          <button type="button" data-remove="${key}" aria-label="Remove one bag of ${COFFEES[key].name}">−</button>
          <b>${bags}</b>
          <button type="button" data-add="${key}" aria-label="Add one bag of ${COFFEES[key].name}">+</button>
        </span>
        <span class="amount">${euro(priceOf(key) * bags)}</span></li>`,
    );
    document.querySelector("[data-lines]").innerHTML = lines.join("") || "<li class='empty'>Your basket is empty.</li>";
    for (const [name, text] of Object.entries(sums.shown)) {
      for (const place of document.querySelectorAll(`[data-sum="${name}"]`)) place.textContent = text;
    }
    for (const button of document.querySelectorAll("[data-action='buy']")) button.disabled = sums.count === 0;
  }

  function order() {
    let bags = 0;
    let count = 0;
    for (const [key, number] of basket) {
      bags += priceOf(key) * number;
      count += number;
    }
    const free = client.evaluate("free-shipping-banner").isOn() && bags >= FREE_DELIVERY_FROM;
    const express = client.evaluate("express-delivery").isOn() && document.querySelector(".express input").checked;
    const delivery = count === 0 ? 0 : (free ? 0 : DELIVERY) + (express ? EXPRESS : 0);
    const shown = {
      bags: euro(bags),
      delivery: count > 0 && delivery === 0 ? "free" : euro(delivery),
      total: euro(bags + delivery),
      points: String(Math.floor(bags)),
      count: count === 1 ? "1 bag" : `${count} bags`,
    };
    return { count, shown };
  }

  function priceOf(key) {
    const price = Number(document.querySelector(`[data-coffee="${key}"]`).dataset.price);
    return client.evaluate("winter-sale").isOn() ? price * SALE : price;
  }

  function euro(amount) {
    return `€${amount.toFixed(2)}`;
  }

  function search(text) {
    const query = text.trim().toLowerCase();
    let found = 0;
    for (const tile of document.querySelectorAll("[data-coffee]")) {
      const { name, from, notes } = COFFEES[tile.dataset.coffee];
      tile.hidden = !`${name} ${from} ${notes}`.toLowerCase().includes(query);
      if (!tile.hidden) found += 1;
    }
    document.querySelector("#search").value = text;
    document.querySelector(".nothing").hidden = found > 0;
  }

  function buy() {
    client.goal("purchase");
    document.querySelector("[data-thanks]").textContent = 'Thank you. The goal "purchase" was sent.';
    document.dispatchEvent(new CustomEvent("shop:goal", { detail: "purchase" }));
  }

  function switchTo(key) {
    person = key;
    try {
      localStorage.setItem(PERSON_KEY, key);
    } catch {
      // Storage is blocked: the choice lasts until the page is closed.
    }
    showPerson();
    // The features follow with the next event: their values until then would be the defaults.
    client.updateUser(PEOPLE[key].user);
  }

  function showPerson() {
    const name = PEOPLE[person].user ? PEOPLE[person].name : "you";
    for (const place of document.querySelectorAll("[data-person-name]")) place.textContent = name;
  }

  function storedPerson() {
    try {
      const stored = localStorage.getItem(PERSON_KEY);
      return Object.hasOwn(PEOPLE, stored) ? stored : "ada";
    } catch {
      return "ada";
    }
  }

  window.shop = { client, open, switchTo, people: PEOPLE, features: FEATURES, person: () => person };
}
