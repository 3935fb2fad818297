// A component of the server: the package says by itself that what it exports belongs to the browser.
import { FlagServiceProvider } from "react-flagservice-client";
import { Feature, WithService } from "./feature.jsx";

export default function Page() {
  return (
    <>
      <FlagServiceProvider
        apiKey="js-page"
        user={{ id: "ada" }}
        config={{ offline: true, defaultFeatures: { a: "page" } }}
      >
        <Feature id="of-the-page" />
      </FlagServiceProvider>
      <WithService />
    </>
  );
}
