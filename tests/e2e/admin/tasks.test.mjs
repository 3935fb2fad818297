// Eleven tasks, each once: none needs more clicks or keystrokes than before. The campaign `tasks` measures their seconds too.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { startAdmin } from "../../support/admin/admin.mjs";
import { doTask, TASKS } from "../../support/admin/tasks.mjs";
import { BEFORE, HALVED, LIMITS } from "../../support/admin/tasks-before.mjs";

let admin;

before(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.endTest());
after(() => admin.close());

for (const [place, task] of TASKS.entries()) {
  test(`${task.title}: ${LIMITS[place].clicks} clicks and ${LIMITS[place].keystrokes} keystrokes at most`, async () => {
    const { clicks, keystrokes } = await doTask(admin, task);
    assert.ok(clicks <= LIMITS[place].clicks, `${clicks} clicks`);
    assert.ok(keystrokes <= LIMITS[place].keystrokes, `${keystrokes} keystrokes`);
  });
}

test("no task needs more than before, and the first feature and a rollout at most half of the clicks", () => {
  assert.deepEqual([TASKS.length, BEFORE.length, LIMITS.length], [11, 11, 11]);
  for (const [place, { title }] of TASKS.entries()) {
    const [old, now] = [BEFORE[place], LIMITS[place]];
    assert.ok(now.clicks + now.keystrokes <= old.clicks + old.keystrokes, title);
    if (HALVED.includes(place)) assert.ok(now.clicks <= old.clicks / 2, title);
  }
});
