// A project and the organisation, as this page reads and changes them.
import type { components } from "../../api/schema.js";

export type Project = components["schemas"]["Project"];

export const PROJECTS = "/api/v1/projects";
export const PROJECT = "/api/v1/projects/{projectKey}";
export const ORGANISATION = "/api/v1/organisation";
