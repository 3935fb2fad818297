// What the demo shop paints in each frame: a flicker is a frame with other variants than the last visit showed.

/** The color of the banner's variant "plum". */
export const PLUM = "rgb(106, 35, 88)";
/** The color of the banner while its color is off. */
export const INK = "rgb(16, 32, 47)";

/** Everybody gets the new checkout and the plum banner. */
export async function showPlum(service) {
  await service.change("new-checkout", { enabled: true });
  const rules = [{ name: "Everybody", splits: [{ variantKey: "plum", percentage: 100 }] }];
  await service.change("banner-color", { enabled: true, rules });
}

/**
 * In the page: records in each animation frame what it is about to paint, namely the checkout and the banner's color, and the
 * time of the first paint.
 */
export function watchFrames() {
  window.watched = { frames: [], firstPaint: undefined };
  new PerformanceObserver((list) => {
    window.watched.firstPaint ??= list.getEntries()[0]?.startTime;
  }).observe({ type: "paint", buffered: true });
  const onFrame = () => {
    const styleOf = (selector) => {
      const element = document.querySelector(selector);
      return element ? getComputedStyle(element) : undefined;
    };
    const color = styleOf(".banner")?.backgroundColor;
    const checkout = styleOf("[data-checkout='on']");
    window.watched.frames.push({ at: performance.now(), color, checkout: checkout?.visibility });
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}

/** Whether a frame shows something: the first ones may come before the page's elements. */
export const isFilled = ({ color, checkout }) => color !== undefined || checkout !== undefined;

/** Whether a frame shows the plum banner, and no other checkout than the new one. */
export const isPlum = ({ color, checkout }) => color === PLUM && (checkout ?? "visible") === "visible";
