// The attributes that an audience lists values of: what an experiment with this audience can be segmented by.
import type { Choice } from "../../../parts/choice/select.js";
import type { Audience } from "../experiments.js";
import { listedValues, namesOfSegments } from "../segments.js";

/** The limits of the server. */
const MIN_VALUES = 2;
const MAX_VALUES = 20;

/** The key of the choice for results without segments. */
export const NO_SEGMENTS = "";

/** One choice for each attribute, in the order of the conditions, with its values. */
function attributesOf(audience: Audience | undefined): Choice[] {
  const attributes = new Set(audience?.conditions.map(({ attribute }) => attribute));
  return [...attributes].flatMap((attribute) => {
    const names = namesOfSegments(listedValues(audience, attribute));
    const fits = names.length >= MIN_VALUES && names.length <= MAX_VALUES;
    return fits ? [{ key: attribute, label: attribute, detail: names.join(", ") }] : [];
  });
}

/** Whether an experiment with this audience can have the segments. */
export function hasSegments(audience: Audience | undefined, attribute: string): boolean {
  return attributesOf(audience).some(({ key }) => key === attribute);
}

/** A selected attribute stays among them when the audience no longer lists its values, so that people see why they cannot save. */
export function segmentChoices(audience: Audience | undefined, selected: string): Choice[] {
  const attributes = attributesOf(audience);
  const isGone = selected !== NO_SEGMENTS && !attributes.some(({ key }) => key === selected);
  const gone = { key: selected, label: selected, detail: "The audience no longer lists its values.", isDisabled: true };
  return [{ key: NO_SEGMENTS, label: "None" }, ...attributes, ...(isGone ? [gone] : [])];
}

/** What the choice is for, or why there is none. */
export function segmentsHint(audience: Audience | undefined, choices: readonly Choice[]): string {
  if (choices.length > 1)
    return "The results are also given for each value of this attribute. The values are fixed at the start.";
  return audience
    ? `An audience with segments has a condition "is one of" with ${MIN_VALUES} to ${MAX_VALUES} values.`
    : `For participants of an audience that lists values, as in "country is one of SE, NO".`;
}
