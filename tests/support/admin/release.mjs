// A project with a feature for each kind of difference between Staging and Production.

const EVERYBODY = [{ name: "Everybody", splits: [{ variantKey: "on", percentage: 100 }] }];
const HALF = [
  {
    name: "Half",
    splits: [
      { variantKey: "on", percentage: 50 },
      { variantKey: "off", percentage: 50 },
    ],
  },
];
const NORDIC = [{ attribute: "country", operator: "in", values: ["SE", "NO"] }];
const ON = [{ variantKey: "on", percentage: 100 }];

const off = (rules = EVERYBODY, offVariantKey = "off") => ({ enabled: false, offVariantKey, rules });
const on = (rules = EVERYBODY, offVariantKey = "off") => ({ enabled: true, offVariantKey, rules });

function feature(key, name, staging, production, more = {}) {
  return {
    key,
    name,
    description: "",
    lifecycle: "Active",
    salt: "1",
    variants: ["on", "off", "teal"],
    tags: [],
    approvalRequired: false,
    pipelineKey: null,
    targetings: { staging, production, qa: production },
    ...more,
  };
}

/** How many features are different and identical in Staging and Production. */
export const COUNTS = { different: 8, identical: 1 };

/** The project's document; `more` overrides fields of the production environment. */
export function releaseDocument(key, more = {}) {
  const environment = (key, name) => ({ key, name, production: false, approvalRequired: false, allowedOrigins: [] });
  return {
    format: "flagservice-project",
    formatVersion: 1,
    project: { key, name: key },
    environments: [
      environment("qa", "QA"),
      environment("staging", "Staging"),
      { ...environment("production", "Production"), production: true, ...more },
    ],
    audiences: [
      { key: "nordics", name: "Nordic countries", environmentKey: null, conditions: NORDIC },
      {
        key: "testers",
        name: "Testers on staging",
        environmentKey: "staging",
        conditions: [{ attribute: "flagservice.user.id", operator: "startsWith", values: ["tester-"] }],
      },
    ],
    pipelines: [
      pipeline("train", "Release train", true),
      pipeline("lane", "Quick lane", false), //
    ],
    features: [
      feature("checkout", "Checkout", on(), off()),
      feature("banner", "Banner", on(EVERYBODY, "teal"), on()),
      // Off in both environments, with other rules.
      feature("ranking", "Ranking", off(HALF), off()),
      // Other rule names, and a saved audience on one side, its conditions on the other: no difference.
      feature(
        "same",
        "Sameness",
        on([{ name: "North", audienceKey: "nordics", splits: ON }]),
        on([{ name: "Up there", conditions: NORDIC, splits: ON }]),
      ),
      feature("preview", "Preview", on([{ name: "Testers", audienceKey: "testers", splits: ON }]), on([])),
      feature("train", "Train", on(HALF, "teal"), off(), { pipelineKey: "train" }),
      feature("lane", "Lane", on(), off(), { pipelineKey: "lane" }),
      feature("guarded", "Guarded", on(), off(), { approvalRequired: true }),
      feature("waiting", "Waiting", on(), off(), { approvalRequired: true }),
      feature("old", "Old", on(), off(), { lifecycle: "Archived" }),
    ],
  };
}

function pipeline(key, name, approvalRequired) {
  const phases = [
    { name: "Try", environmentKey: "staging", approvalRequired: false },
    { name: "Roll out", environmentKey: "production", approvalRequired },
  ];
  return { key, name, phases };
}

/** Creates the project. The production editor has requested a change to Waiting in Production. */
export async function createReleaseProject(service, key, more) {
  await service.import(releaseDocument(key, more));
  const waiting = await service.as("productionEditor", "PATCH", targetingPath(key, "waiting", "production"), {
    enabled: true,
    comment: "Ready for everybody.",
  });
  return { at: `/projects/${key}`, waiting };
}

/** The path of a feature's targeting. */
export function targetingPath(project, feature, environment) {
  return `/projects/${project}/features/${feature}/environments/${environment}`;
}
