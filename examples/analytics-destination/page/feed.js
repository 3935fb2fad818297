// What the server tells: everything at first, then each annotation as it comes.

const STATES = { starting: "Connecting", live: "Live", interrupted: "Interrupted, trying again" };
const SNAPSHOT_LENGTH = 1000;

/** Follows the stream; `changed` is called at most once for a frame, with what was new since the last call. */
export function follow(changed) {
  const state = { region: "", categories: [], annotations: [], total: 0 };
  let fresh = [];
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    // A hidden page has no frames: it must not heap up what it will show.
    setTimeout(() => {
      asked = false;
      const news = fresh;
      fresh = [];
      changed(state, news);
    }, 50);
  };

  const source = new EventSource("/page/events");
  source.onopen = () => show("live");
  source.onerror = () => show("interrupted");
  source.addEventListener("snapshot", ({ data }) => {
    Object.assign(state, JSON.parse(data));
    fresh = [];
    ask();
  });
  source.addEventListener("annotation", ({ data }) => {
    const annotation = JSON.parse(data);
    state.annotations.push(annotation);
    if (state.annotations.length > SNAPSHOT_LENGTH) state.annotations.shift();
    state.total += 1;
    fresh.push(annotation);
    ask();
  });
  source.addEventListener("category", ({ data }) => {
    state.categories.push(JSON.parse(data));
    ask();
  });
}

function show(name) {
  document.querySelector("[data-feed]").dataset.feed = name;
  const text = document.querySelector("[data-feed-text]");
  if (text.textContent !== STATES[name]) text.textContent = STATES[name];
}
