// A project of many features as a document for `import`: ten rules for each feature in each environment.

export const RULES = 10;
export const AUDIENCES = 20;
export const PIPELINES = 5;
const COUNTRIES = ["SE", "NO", "DK", "FI", "IS", "DE", "FR", "ES", "IT", "PL"];

/**
 * Three of ten rules name a saved audience, the others have two conditions. Where `moved(environment, feature)` holds, the
 * last rule has another percentage; the first feature is 0. `ofAudience(environment, place)` names the audience of a rule where
 * it is not one of the project's. With `gated`, some features and every other pipeline require approvals.
 */
export function project({ key, features, environments, moved, gated, audiences = [], ofAudience = () => undefined }) {
  const targeting = (environment, feature) => ({
    enabled: true,
    offVariantKey: "off",
    rules: numbers(RULES).map((place) => {
      const percentage = moved(environment, feature) && place === RULES - 1 ? 10 : 50;
      return rule(feature, place, percentage, ofAudience(environment, place));
    }),
  });
  return {
    format: "flagservice-project",
    formatVersion: 1,
    project: { key, name: key },
    environments: environments.map((environment) => ({ name: environment.key, allowedOrigins: [], ...environment })),
    audiences: [
      ...numbers(AUDIENCES).map((index) => ({
        key: audienceKey(index),
        name: `Audience ${index}`,
        environmentKey: null,
        conditions: [condition("plan", "equals", [`plan-${index}`]), condition("age", "greaterThan", [index])],
      })),
      ...audiences,
    ],
    pipelines: numbers(PIPELINES).map((index) => ({
      key: `pipeline-${index}`,
      name: `Pipeline ${index}`,
      phases: [{ name: "Release", environmentKey: "production", approvalRequired: gated && index % 2 === 0 }],
    })),
    features: numbers(features).map((index) => ({
      key: featureKey(index),
      name: `Feature ${index}`,
      description: "One of many.",
      lifecycle: "Active",
      salt: "1",
      variants: ["on", "off"],
      tags: ["campaign"],
      approvalRequired: gated && index % 10 === 0,
      pipelineKey: `pipeline-${index % PIPELINES}`,
      targetings: Object.fromEntries(
        environments.map((environment) => [environment.key, targeting(environment.key, index)]),
      ),
    })),
  };
}

/** 0 and so many numbers more. */
export function numbers(length) {
  return Array.from({ length }, (_, index) => index);
}

/** The key of a feature by its number. */
export function featureKey(index) {
  return `feature-${String(index).padStart(4, "0")}`;
}

/** A condition of a rule or an audience. */
export function condition(attribute, operator, values) {
  return { attribute, operator, values };
}

function audienceKey(index) {
  return `audience-${String(index).padStart(2, "0")}`;
}

function rule(feature, place, percentage, ofAudience) {
  const splits = [
    { variantKey: "on", percentage },
    { variantKey: "off", percentage: 100 - percentage },
  ];
  const name = `Rule ${place} of feature ${feature}`;
  if (place % 3 === 2) return { name, audienceKey: ofAudience ?? audienceKey((feature + place) % AUDIENCES), splits };
  const countries = [0, 1, 3].map((step) => COUNTRIES[(feature + place + step) % COUNTRIES.length]);
  return {
    name,
    conditions: [condition("country", "in", countries), condition("age", "lessThan", [60 + place])],
    splits,
  };
}
