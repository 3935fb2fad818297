// What is often searched: a part of the page with code of its own.
import { useIsOn } from "react-flagservice-client";

export default function Suggestions() {
  return useIsOn("search-suggestions") ? (
    <p className="quiet suggestions">Often searched: washed, citrus, Kenya</p>
  ) : null;
}
