// The fields that a form has now: which of them prevent that it is sent, and which one an error belongs to.
// A field's name is a JSON pointer without its leading slash, such as `key` or `configuration/analytics/apiKey`.
import { createContext, useContext, useLayoutEffect } from "react";
import { type Problem, sentence, violationText } from "../../api/problem.js";

export interface FormField {
  label: string;
  /** Whether it is required, and nothing is in it. */
  isMissing?: boolean;
  /** What is wrong with what is in it, if that is known before it is sent. */
  problem?: string | undefined;
  /** What to do if it is missing. */
  remedy?: "Enter" | "Select";
  /** The entries of a field that holds several. An error about one of them names it. */
  entries?: readonly string[];
}

/** In the order in which they were rendered. Undefined outside a form. */
export const FormFields = createContext<Map<string, FormField> | undefined>(undefined);

export function useFormField(name: string | undefined, field: FormField): void {
  const fields = useContext(FormFields);
  useLayoutEffect(() => {
    if (name !== undefined) fields?.set(name, field);
  });
  useLayoutEffect(() => {
    if (name === undefined) return;
    return () => void fields?.delete(name);
  }, [fields, name]);
}

export interface FormErrors {
  byField: Readonly<Record<string, string>>;
  /** Those of no field. */
  others: readonly string[];
}

export const NO_ERRORS: FormErrors = { byField: {}, others: [] };

/** The problem of each field that has one, and of each required field that is empty: `Enter the API key.` */
export function problemsOf(fields: ReadonlyMap<string, FormField>): FormErrors {
  const errors = [...fields].flatMap(([name, { label, isMissing, remedy = "Enter", problem }]) => {
    const error = isMissing ? `${remedy} the ${uncapitalised(label)}.` : problem;
    return error === undefined ? [] : [[name, error]];
  });
  return { byField: Object.fromEntries(errors), others: [] };
}

/** `name` of `Name`, but `API key` as it is. */
function uncapitalised(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

/** The errors of a problem at the fields that they point into. A problem without any is itself one of no field. */
export function errorsOf(problem: Problem, fields: ReadonlyMap<string, FormField>): FormErrors {
  if (!problem.errors?.length) return { byField: {}, others: [problem.detail] };
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const violation of problem.errors) {
    const path = violation.pointer.replace(/^\//, "");
    const name = nearest(path, fields);
    if (name === undefined) {
      others.push(violationText(violation));
      continue;
    }
    const entry = fields.get(name)?.entries?.[Number(path.slice(name.length + 1).split("/")[0] || Number.NaN)];
    const text = (entry === undefined ? "" : `${shortened(entry)}: `) + sentence(violation.detail);
    byField[name] = byField[name] ? `${byField[name]} ${text}` : text;
  }
  return { byField, others };
}

const MAX_ENTRY = 40;

function shortened(entry: string): string {
  return entry.length > MAX_ENTRY ? `${entry.slice(0, MAX_ENTRY)}…` : entry;
}

/** The field at the path or above it: `variants` for `variants/3`. */
function nearest(path: string, fields: ReadonlyMap<string, FormField>): string | undefined {
  for (let at = path; at !== ""; at = at.slice(0, Math.max(at.lastIndexOf("/"), 0))) if (fields.has(at)) return at;
  return undefined;
}
