// Flips a feature from inside an open page, so that one clock measures request and event.
import { HANG_TIMEOUT_MS } from "../hang-timeout.mjs";

/**
 * Switches the feature `count` times by REST and waits for UPDATED_FEATURE each time. Returns a record for each flip: the features of the
 * event, and the milliseconds from the REST response (and from the request) to the event. The first figure is negative if the event
 * came before the response.
 */
export function flips(page, service, feature, count) {
  const request = { path: service.targeting(feature), token: service.token };
  return page.evaluate(runFlips, { ...request, count, timeout: HANG_TIMEOUT_MS });
}

async function runFlips({ path, token, count, timeout }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const { client } = window.shop;
  let { enabled } = await (await fetch(path, { headers })).json();
  const records = [];
  for (let flip = 0; flip < count; flip += 1) {
    enabled = !enabled;
    let listener;
    const updated = new Promise((resolve, reject) => {
      const tooLate = setTimeout(
        () => reject(new Error(`Flip ${flip} was lost: no UPDATED_FEATURE within ${timeout} ms.`)),
        timeout,
      );
      listener = (features) => {
        clearTimeout(tooLate);
        resolve({ features, at: performance.now() });
      };
      client.on(FlagService.events.UPDATED_FEATURE, listener);
    });
    const asked = performance.now();
    const answer = await fetch(path, { method: "PATCH", headers, body: JSON.stringify({ enabled }) });
    const answered = performance.now();
    if (!answer.ok) throw new Error(`Flip ${flip} was refused: ${answer.status} ${await answer.text()}`);
    const { features, at } = await updated;
    client.off(FlagService.events.UPDATED_FEATURE, listener);
    records.push({ enabled, features, afterAnswer: at - answered, afterRequest: at - asked });
  }
  return records;
}
