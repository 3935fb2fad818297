// An experiment of the demo with six days of results, for its picture. The service counts only what happens now, so the results are
// given to the page as the service would send them: the intervals are those of crates/statistics for these counts.

const EXPERIMENTS = "/projects/shop/environments/production/experiments";
const KEY = "loyalty";

const EXPERIMENT = {
  key: KEY,
  name: "Do loyalty points sell more?",
  featureKey: "loyalty-points",
  controlVariantKey: "off",
  goals: [
    { key: "purchase", role: "primary" },
    { key: "payment-error", role: "guard", direction: "decrease" },
  ],
  plannedDays: 14,
  plannedParticipants: 20_000,
};

/** Participants so far, the difference seen and its interval, at the end of each day. */
const DAYS = [
  ["2026-11-20", 2_380, 0.04124, -0.04446, 0.12694],
  ["2026-11-21", 4_834, 0.03921, -0.01381, 0.09222],
  ["2026-11-22", 7_268, 0.04302, 0.00097, 0.08508],
  ["2026-11-23", 9_785, 0.04409, 0.00849, 0.07968],
  ["2026-11-24", 12_338, 0.04518, 0.01361, 0.07676],
  ["2026-11-25", 14_230, 0.04729, 0.01783, 0.07674],
];

const RESULTS = {
  daysRun: 5.7,
  split: { isBroken: false, pValue: 0.93, probabilityBroken: 0.0003 },
  targetingChanged: false,
  variants: [
    { key: "off", isControl: true, participants: 12_806, share: 90, crossovers: 11 },
    { key: "on", isControl: false, participants: 1_424, share: 10, crossovers: 2 },
  ],
  goals: [
    {
      ...EXPERIMENT.goals[0],
      direction: "increase",
      variants: [
        { variantKey: "off", participants: 1_238, rate: 1_238 / 12_806, times: 1_391 },
        { variantKey: "on", participants: 205, rate: 205 / 1_424, times: 236 },
      ],
      comparisons: [{ variantKey: "on", outcome: "better", estimate: 0.04729, lower: 0.01783, upper: 0.07674 }],
    },
    {
      ...EXPERIMENT.goals[1],
      variants: [
        { variantKey: "off", participants: 168, rate: 168 / 12_806, times: 180 },
        { variantKey: "on", participants: 20, rate: 20 / 1_424, times: 21 },
      ],
      comparisons: [{ variantKey: "on", outcome: "undecided", estimate: 0.00093, lower: -0.0095, upper: 0.01136 }],
    },
  ],
  days: DAYS.map(([day, participants, estimate, lower, upper]) => ({
    day: `${day}T00:00:00Z`,
    participants,
    comparisons: [{ variantKey: "on", estimate, lower, upper }],
  })),
};

/** Creates and starts the experiment, and opens it with its results. */
export async function showExperiment(page, { service }) {
  await service.as("administrator", "POST", EXPERIMENTS, EXPERIMENT);
  await service.as("administrator", "POST", `${EXPERIMENTS}/${KEY}/start`);
  await page.route(/\/experiments\/loyalty\/results$/, (route) => route.fulfill({ json: RESULTS }));
  await page.goto(`/projects/shop/experiments/production/${KEY}`);
  await page.getByRole("region", { name: "Result", exact: true }).waitFor();
}
