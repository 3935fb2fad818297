// The browser: hydrates the server's document, with the same features and user.
import { hydrateRoot } from "react-dom/client";
import { Page } from "./page.jsx";

hydrateRoot(document, <Page {...window.page} />);
