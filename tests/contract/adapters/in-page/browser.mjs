// In the page: clients of flagservice-client, from the script that the page has loaded.
import { driveClient } from "./client.mjs";

export const create = (options, emit) => driveClient(window.FlagService, options, emit);
