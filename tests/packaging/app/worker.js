// A worker has no page: a client answers there from what it is given.
import FlagService from "flagservice-client";

const client = FlagService.init("js-key", { id: "ada" }, { bootstrap: { a: "worker" } });
postMessage(client.evaluate("a").value());
