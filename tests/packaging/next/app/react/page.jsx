// A server component: the package itself marks its exports as client components.
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
