// Applies the theme before the first paint, so that the page does not flash in the wrong colours.
import { applyTheme, savedTheme } from "./theme.js";

applyTheme(savedTheme());
