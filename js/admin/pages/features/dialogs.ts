// The dialogs of the feature list, in one module: each module that is loaded by itself costs a request.
export { ArchiveDialog } from "./archive-dialog.js";
export { CreateFeature } from "./create-feature.js";
export { TagDialog } from "./tag-dialog.js";
export { DeleteViews } from "./views/delete-views.js";
export { SaveView } from "./views/save-view.js";
