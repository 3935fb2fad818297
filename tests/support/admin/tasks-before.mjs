// What the tasks of tasks.mjs needed before a feature and its targeting became one page, in their order: the pages of commit 47273a7.

export const BEFORE = [
  { clicks: 0, keystrokes: 2, milliseconds: 573 },
  { clicks: 6, keystrokes: 18, milliseconds: 2459 },
  { clicks: 8, keystrokes: 3, milliseconds: 1229 },
  { clicks: 2, keystrokes: 0, milliseconds: 650 },
  { clicks: 3, keystrokes: 5, milliseconds: 2022 },
  { clicks: 1, keystrokes: 6, milliseconds: 252 },
  { clicks: 3, keystrokes: 0, milliseconds: 913 },
  { clicks: 12, keystrokes: 0, milliseconds: 1745 },
  { clicks: 5, keystrokes: 16, milliseconds: 1164 },
  { clicks: 2, keystrokes: 0, milliseconds: 514 },
  { clicks: 1, keystrokes: 10, milliseconds: 452 },
];

/** What the tasks may need now, in the same order. */
export const LIMITS = [
  { clicks: 0, keystrokes: 2 },
  { clicks: 3, keystrokes: 18 },
  { clicks: 2, keystrokes: 3 },
  { clicks: 2, keystrokes: 0 },
  { clicks: 0, keystrokes: 7 },
  { clicks: 1, keystrokes: 6 },
  { clicks: 3, keystrokes: 0 },
  { clicks: 3, keystrokes: 0 },
  { clicks: 5, keystrokes: 16 },
  { clicks: 1, keystrokes: 0 },
  { clicks: 1, keystrokes: 10 },
];

/** The places of the tasks that need at most half of the clicks: the first feature, and a rollout. */
export const HALVED = [1, 2];
