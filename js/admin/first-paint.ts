// Runs before anything is painted, so that nobody in a dark room is blinded by a page that then turns dark.
import { chosenTheme, showTheme } from "./theme.js";

showTheme(chosenTheme());
