// Lights up, for a moment, what the change of a feature has changed in the shop, with the feature's name.
// biome-ignore lint/suspicious/noRedundantUseStrict: this is a classic script.
"use strict";
{
  /** How far a frame is from what it is around, and from the edges of the shop. In CSS pixels, as all lengths here. */
  const GAP = 6;
  const EDGE = 3;
  /** Above a frame there is space for its label, unless it is this close to the top of the page. */
  const LABEL = 36;
  /** Feature → where its parts were before a change. Those that are removed have no place afterwards. */
  const before = new Map();
  /** The feature that was switched in the panel: the page scrolls to it. */
  let expected;

  document.addEventListener("shop:changing", ({ detail }) => {
    before.clear();
    for (const { key } of detail) before.set(key, partsOf(key).map(placeOf));
  });

  document.addEventListener("shop:changed", ({ detail }) => {
    // One part may show two changed features.
    const labels = new Map();
    for (const change of detail) {
      const text = `${shop.features[change.key].name}: ${change.variant}`;
      const parts = partsOf(change.key);
      if (parts.length === 0) lightRemoved(change.key, text);
      const labelled = largest(parts, placeOf);
      for (const part of parts) {
        labels.set(part, [...(labels.get(part) ?? []), ...(part === labelled ? [text] : [])]);
      }
    }
    for (const [part, texts] of labels) light(() => placeOf(part), texts.join(" · "));
    if (detail.some(({ key }) => key === expected)) reveal(expected);
  });

  /** The parts of the shop that this feature shows or changes, if they can be seen. */
  function partsOf(key) {
    const parts = document.querySelectorAll(`.shop [data-shows~="${key}"], .shop [data-changes~="${key}"]`);
    return [...parts].filter((part) => part.getClientRects().length > 0);
  }

  function placeOf(part) {
    const { left, top, width, height } = part.getBoundingClientRect();
    return { left: left + scrollX, top: top + scrollY, width, height };
  }

  function largest(items, place) {
    const area = (item) => place(item).width * place(item).height;
    return items.reduce((best, item) => (best && area(best) >= area(item) ? best : item), undefined);
  }

  /** Lights up the place of a part that is no longer there. */
  function lightRemoved(key, text) {
    const place = largest(before.get(key) ?? [], (place) => place);
    if (place) light(() => place, text).classList.add("removed");
  }

  /** Puts a frame around a place of the page, until its animation ends. */
  function light(place, label) {
    const frame = document.createElement("div");
    frame.className = "spotlight";
    frame.setAttribute("aria-hidden", "true");
    if (label) frame.append(Object.assign(document.createElement("span"), { textContent: label }));
    document.body.append(frame);
    const follow = () => {
      if (!frame.isConnected) return;
      surround(frame, place());
      requestAnimationFrame(follow);
    };
    follow();
    frame.addEventListener("animationend", ({ animationName }) => animationName === "light" && frame.remove());
    return frame;
  }

  function surround(frame, { left, top, width, height }) {
    const shop = document.querySelector(".shop").getBoundingClientRect();
    const [from, to] = [shop.left + scrollX + EDGE, shop.right + scrollX - EDGE];
    const x = Math.max(left - GAP, from);
    const y = Math.max(top - GAP, EDGE);
    frame.style.translate = `${x}px ${y}px`;
    frame.style.width = `${Math.min(left + width + GAP, to) - x}px`;
    frame.style.height = `${top + height + GAP - y}px`;
    frame.classList.toggle("label-below", y < LABEL);
    frame.classList.toggle("label-right", x - from > (to - from) / 2);
  }

  /** Scrolls to what the feature has changed, unless it is in view. */
  function reveal(key) {
    expected = undefined;
    const place =
      largest(partsOf(key).map(placeOf), (place) => place) ?? largest(before.get(key) ?? [], (place) => place);
    if (!place) return;
    const bottom = visibleHeight();
    const top = place.top - scrollY;
    if (top >= LABEL && top + place.height <= bottom - GAP) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    scrollTo({ top: place.top - Math.max(LABEL + GAP, (bottom - place.height) / 2), behavior });
  }

  /** The height of the window above the sheet, if the panel is one. */
  function visibleHeight() {
    const panel = document.querySelector(".panel");
    return getComputedStyle(panel).position === "fixed" ? panel.getBoundingClientRect().top : innerHeight;
  }

  /** The next change of this feature was made in the panel. */
  function expect(key) {
    expected = key;
  }

  window.spotlight = { expect };
}
