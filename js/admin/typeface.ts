// Waits for the typeface before the first text is shown: a browser that has preloaded it still decodes it when it is first used.

/** Text is shown in a typeface of the system if Inter takes longer. */
const TIMEOUT_MS = 300;

/** Resolves when the typeface can be used, or at the timeout. Never rejects. */
export async function typefaceReady(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS));
  await Promise.race([document.fonts.load("1em Inter").catch(() => {}), timeout]);
}
