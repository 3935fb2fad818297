// Frames of a page that come late, as on a busy machine.

/** Holds back what the page does in its next frames, until the returned function is called. */
export async function holdFrames(page) {
  await page.evaluate(() => {
    window.heldFrames = [];
    window.requestAnimationFrame = (callback) => window.heldFrames.push(callback);
  });
  return () =>
    page.evaluate(() => {
      for (const callback of window.heldFrames.splice(0)) callback(performance.now());
    });
}
