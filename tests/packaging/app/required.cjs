const { FlagService } = require("flagservice-client");
const { follow } = require("./follow.js");

follow(FlagService);
