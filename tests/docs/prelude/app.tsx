// The reader's own application, which an example imports as "./app".
export function App() {
  return <p>app</p>;
}
