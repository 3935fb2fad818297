// The application of the reader, which an example imports as "./app".
export function App() {
  return <p>app</p>;
}
