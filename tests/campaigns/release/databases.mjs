// An empty database of each engine, for campaigns that run on both.
import { join } from "node:path";
import { startPostgres } from "../../../scripts/postgres.mjs";
import { inFolder } from "./server.mjs";

/** Calls `work(name, folder, url)` with a new folder and the URL of a database in it. */
export function onSqlite(work) {
  return inFolder((folder) => work("SQLite", folder, `sqlite:${join(folder, "flagservice.db")}`));
}

/** The same with a PostgreSQL cluster of its own. */
export async function onPostgres(work) {
  const postgres = await startPostgres();
  try {
    return await inFolder((folder) => work("PostgreSQL", folder, postgres.url));
  } finally {
    await postgres.stop();
  }
}
