// The whole document, for server and browser.
import { exposureIntegration, FlagServiceProvider } from "react-flagservice-client";
import { Shop } from "./shop.jsx";

// Called only in the browser: the server sends no exposures.
const integrations = [exposureIntegration((exposure) => navigator.sendBeacon("/exposures", JSON.stringify(exposure)))];

export function Page({ apiKey, baseUrl, user, bootstrap }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Halyard Coffee</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/style.css" />
      </head>
      <body>
        <FlagServiceProvider apiKey={apiKey} user={user} config={{ baseUrl, bootstrap, integrations }}>
          <Shop visitor={user.id} />
        </FlagServiceProvider>
      </body>
    </html>
  );
}
