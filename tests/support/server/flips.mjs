// Flips of one feature, made and seen by the open page, so that one clock measures both ends.

/**
 * Switches the feature `count` times over REST and waits each time for UPDATED_FEATURE. Answers with one record for each
 * flip: what the event named, and the milliseconds from the REST answer (and from the request) to the event. An event
 * that beat the answer has a negative first figure.
 */
export function flips(page, service, feature, count) {
  return page.evaluate(runFlips, { path: service.targeting(feature), token: service.token, feature, count });
}

async function runFlips({ path, token, count }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const { client } = window.shop;
  let { enabled } = await (await fetch(path, { headers })).json();
  const records = [];
  for (let flip = 0; flip < count; flip += 1) {
    enabled = !enabled;
    let heard;
    const updated = new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error(`Flip ${flip} was lost: no UPDATED_FEATURE in 10 s.`)), 10_000);
      heard = (features) => {
        clearTimeout(tooLate);
        resolve({ features, at: performance.now() });
      };
      client.on(FlagService.events.UPDATED_FEATURE, heard);
    });
    const asked = performance.now();
    const answer = await fetch(path, { method: "PATCH", headers, body: JSON.stringify({ enabled }) });
    const answered = performance.now();
    if (!answer.ok) throw new Error(`Flip ${flip} was refused: ${answer.status} ${await answer.text()}`);
    const { features, at } = await updated;
    client.off(FlagService.events.UPDATED_FEATURE, heard);
    records.push({ enabled, features, afterAnswer: at - answered, afterRequest: at - asked });
  }
  return records;
}
