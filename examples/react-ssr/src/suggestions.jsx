// Popular searches: a part of the page with its own bundle.
import { useIsOn } from "react-flagservice-client";

export default function Suggestions() {
  return useIsOn("search-suggestions") ? (
    <p className="quiet suggestions">Popular searches: washed, citrus, Kenya</p>
  ) : null;
}
