// The dialogs that ask before a feature changes, in one module: each module that is loaded by itself costs a request.
export { LifecycleDialog } from "./lifecycle-dialog.js";
export { SwitchDialog } from "./switch/switch-dialog.js";
