// A person, as this page reads and changes them.
import { useQuery } from "@tanstack/react-query";
import { wholeList } from "../../api/queries.js";
import type { components } from "../../api/schema.js";

export type Person = components["schemas"]["User"];

export const PEOPLE = "/api/v1/users";
export const PERSON = "/api/v1/users/{userId}";

export function usePeople() {
  return useQuery(wholeList(PEOPLE));
}
