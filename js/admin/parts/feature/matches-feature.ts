// Which features a search finds. The list of the REST API has the same rule: crates/server/src/app/features/list.rs.
import type { components } from "../../api/schema.js";
import { matchesSearch } from "../list/filter.js";

type Searchable = Pick<components["schemas"]["Feature"], "key" | "name" | "tags" | "description">;

/** Whether each word of the search is in the key, the name, a tag or the description. */
export function matchesFeature(search: string, { key, name, tags, description }: Searchable): boolean {
  return matchesSearch(search, [key, name, ...tags, description]);
}
