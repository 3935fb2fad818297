// The dialogs that can open on every page, in one module: each module that is loaded by itself costs a request.
export { Palette } from "./search/palette.js";
export { ShortcutsDialog } from "./shortcuts/shortcuts-dialog.js";
export { SignInDialog } from "./sign-in.js";
