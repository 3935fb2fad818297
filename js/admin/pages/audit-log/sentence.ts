// What an entry says happened, as a sentence that continues the name of the person.
import type { Name, Phrase } from "../../parts/changes/phrase.js";
import { phrase } from "../../parts/changes/phrase.js";
import { roleName } from "../../roles.js";
import { approvalSentence } from "./approval-sentence.js";
import { type Entry, pageOf, type State, stateOf, subjectOf, textIn } from "./entry.js";
import { featureSentence } from "./feature-sentence.js";
import type { Names } from "./names.js";

/** What the actions create and change, as the sentences call it. */
const NOUNS: Record<string, string> = {
  audience: "audience",
  "client-key": "client key",
  "edge-key": "edge key",
  environment: "environment",
  experiment: "experiment",
  feature: "feature",
  organisation: "organisation",
  pipeline: "pipeline",
  project: "project",
  "server-key": "server key",
};
const VERBS: Record<string, string> = {
  create: "created",
  update: "changed",
  delete: "deleted",
  revoke: "revoked",
  rotate: "rotated",
  start: "started",
  stop: "stopped",
};

export function sentenceOf(entry: Entry, names: Names): Phrase {
  const [kind = "", verb = ""] = entry.action.split(".");
  const special = SPECIAL[kind]?.(entry, names);
  if (special) return special;
  const [noun, done] = [NOUNS[kind], VERBS[verb]];
  // An action of a later release.
  if (!noun || !done) return [`${entry.action} `, { name: entry.resource }];
  const did = verb === "update" && isRename(entry) ? "renamed" : done;
  return [`${did} the ${noun} `, nameOf(entry), ...placeOf(entry, names)];
}

const SPECIAL: Record<string, (entry: Entry, names: Names) => Phrase | undefined> = {
  approval: approvalSentence,
  change: approvalSentence,
  experiment: guardSentence,
  feature: featureSentence,
  targeting: featureSentence,
  integration: integrationSentence,
  organisation: ({ action }) => (action === "organisation.restore" ? ["restored a backup"] : undefined),
  token: tokenSentence,
  user: personSentence,
};

/** The name that it has now in the entry, linked to its page. */
function nameOf(entry: Entry): Name {
  const subject = subjectOf(entry);
  return { name: textIn(stateOf(entry), "name") ?? subject.key, href: pageOf(entry, subject) };
}

/** The environment of an SDK key, an experiment or an audience, or those that an edge key is limited to. */
function placeOf(entry: Entry, names: Names): Phrase {
  const { project, kind, environment } = subjectOf(entry);
  if (project && environment) return phrase` in ${names.environment(project, environment)}`;
  if (project && kind === "edge-keys") {
    const environments = (stateOf(entry).environments ?? []) as { environmentKey: string }[];
    return environments.flatMap(({ environmentKey }, index) => [
      index === 0 ? " in " : ", ",
      { name: names.environment(project, environmentKey) },
    ]);
  }
  const id = textIn(stateOf(entry), "environmentId");
  const name = id && names.environmentOfId(id);
  return name ? phrase` in ${name}` : [];
}

/** Whether the name is all that differs. */
function isRename({ before, after }: Entry): boolean {
  const rest = (state: unknown) => JSON.stringify({ ...(state as State | null), name: undefined });
  return Boolean(before && after) && textIn(before, "name") !== textIn(after, "name") && rest(before) === rest(after);
}

interface GuardTrip {
  goal: string;
  variant: string;
}

/** What the service found. The change of the targeting, or the request for its approval, has an entry of its own. */
function guardSentence(entry: Entry, names: Names): Phrase | undefined {
  const trip = (stateOf(entry).guardTrips as GuardTrip[] | undefined)?.at(-1);
  if (entry.action !== "experiment.guard" || !trip) return undefined;
  const found = phrase`found ${trip.goal} worse with ${trip.variant} in the experiment `;
  return [...found, nameOf(entry), ...placeOf(entry, names)];
}

const OF_INTEGRATIONS: Record<string, string> = {
  "integration.create": "connected ",
  "integration.update": "changed ",
  "integration.delete": "removed ",
  "integration.test": "sent a test event to ",
  "integration.rotate-secret": "replaced the signing secret of ",
};

function integrationSentence(entry: Entry): Phrase | undefined {
  const did = OF_INTEGRATIONS[entry.action];
  const href = pageOf(entry, subjectOf(entry));
  return did === undefined ? undefined : [did, { name: integrationName(stateOf(entry)), href }];
}

function integrationName(state: ReturnType<typeof stateOf>): string {
  const [region, origin] = [textIn(state, "region"), textIn(state, "origin")];
  if (region) return `the integration in ${region}`;
  if (!origin) return "an integration";
  return textIn(state, "type") === "slack" ? `the Slack connection to ${origin}` : `the webhook to ${origin}`;
}

function tokenSentence(entry: Entry, names: Names): Phrase {
  const state = stateOf(entry);
  const owner = textIn(state, "userId");
  const ofAnother = owner && owner !== entry.userId ? names.person(owner) : undefined;
  const did = entry.action === "token.create" ? "created" : "revoked";
  return [
    ...[`${did} the token `, nameOf(entry)],
    ...(ofAnother ? phrase` of ${ofAnother}` : []),
    ...(textIn(state, "invitedBy") ? [" with a set-up link"] : []),
  ];
}

function asRole(role: Parameters<typeof roleName>[0] | undefined): string[] {
  return role ? [` as ${roleName(role).toLowerCase()}`] : [];
}

function personSentence(entry: Entry, names: Names): Phrase {
  const { key } = subjectOf(entry);
  const state = stateOf(entry);
  const href = entry.action === "user.delete" ? undefined : "/users";
  const person = { name: textIn(state, "name") ?? names.person(key) ?? "a person", href };
  const role = textIn(state, "role") as Parameters<typeof roleName>[0] | undefined;
  switch (entry.action) {
    case "user.create":
      if (textIn(state, "issuer")) return ["signed in with single sign-on for the first time", ...asRole(role)];
      return ["added ", person, ...asRole(role)];
    case "user.update":
      if (textIn(state, "issuer")) return ["got another name or role from single sign-on"];
      return [isRename(entry) ? "renamed " : "changed ", person];
    case "user.delete":
      return ["removed ", person];
    case "user.erase":
      return ["erased a person or a user"];
    case "user.invite":
      return ["created a set-up link for ", person];
    case "user.link":
      return ["let ", person, " use single sign-on"];
    case "user.readmit":
      return ["let a removed person use single sign-on again"];
    default:
      return ["changed ", person];
  }
}
