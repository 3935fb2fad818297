// The shop: each component reads the features that it shows.
import { lazy, Suspense, useState } from "react";
import { useFeature, useGoal, useIsOn } from "react-flagservice-client";

// Streamed after the rest of the page if it takes longer, and hydrated once its code is loaded.
const Suggestions = lazy(() => import("./suggestions.jsx"));

export function Shop({ visitor }) {
  return (
    <main>
      <Banner />
      <h1>Halyard Coffee</h1>
      <p className="quiet visitor">
        You are <code>{visitor}</code>, on the server and in the browser.
      </p>
      <Suspense fallback={<p>Loading popular searches…</p>}>
        <Suggestions />
      </Suspense>
      <Checkout />
    </main>
  );
}

/** A feature with several variants, split between visitors. */
function Banner() {
  const color = useFeature("banner-color");
  const free = useIsOn("free-shipping-banner");
  return (
    <p className="banner" data-color={color.value()}>
      {free ? "Delivery is on us for every order above €40." : "Delivery: €4.90."}
    </p>
  );
}

/** A feature that is on or off. */
function Checkout() {
  const onePage = useIsOn("new-checkout");
  const goal = useGoal();
  const [bought, setBought] = useState(false);
  const buy = () => {
    goal("purchase");
    setBought(true);
  };
  return (
    <section className="checkout">
      <h2>Checkout</h2>
      <p>{onePage ? "Everything on one page." : "Address, delivery, payment: three pages."}</p>
      <button type="button" onClick={buy}>
        {onePage ? "Buy now" : "Go through the three steps"}
      </button>
      <p className="thanks" role="status">
        {bought && 'Thank you. The goal "purchase" was sent.'}
      </p>
    </section>
  );
}
