import { Feature } from "./feature.jsx";

export default function Page() {
  return <Feature />;
}
