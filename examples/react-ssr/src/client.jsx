// The browser: takes over what the server has rendered, with the same features and the same user.
import { hydrateRoot } from "react-dom/client";
import { Page } from "./page.jsx";

hydrateRoot(document, <Page {...window.page} />);
