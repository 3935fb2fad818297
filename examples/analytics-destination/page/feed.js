// Follows the server's stream: a snapshot first, then each new annotation.

const STATES = { starting: "Connecting", live: "Live", interrupted: "Disconnected, reconnecting" };
const SNAPSHOT_LENGTH = 1000;

const UPDATE_INTERVAL_MS = 50;

/** Follows the stream. Calls `onChange` at most once per interval, with the state and the annotations since the last call. */
export function follow(onChange) {
  const state = { region: "", categories: [], annotations: [], total: 0 };
  let added = [];
  let scheduled = false;
  const scheduleUpdate = () => {
    if (scheduled) return;
    scheduled = true;
    // A timer, because hidden pages get no animation frames and annotations would pile up.
    setTimeout(() => {
      scheduled = false;
      const newAnnotations = added;
      added = [];
      onChange(state, newAnnotations);
    }, UPDATE_INTERVAL_MS);
  };

  const source = new EventSource("/page/events");
  source.onopen = () => showConnection("live");
  source.onerror = () => showConnection("interrupted");
  source.addEventListener("snapshot", ({ data }) => {
    Object.assign(state, JSON.parse(data));
    added = [];
    scheduleUpdate();
  });
  source.addEventListener("annotation", ({ data }) => {
    const annotation = JSON.parse(data);
    state.annotations.push(annotation);
    if (state.annotations.length > SNAPSHOT_LENGTH) state.annotations.shift();
    state.total += 1;
    added.push(annotation);
    scheduleUpdate();
  });
  source.addEventListener("category", ({ data }) => {
    state.categories.push(JSON.parse(data));
    scheduleUpdate();
  });
}

function showConnection(name) {
  document.querySelector("[data-feed]").dataset.feed = name;
  const text = document.querySelector("[data-feed-text]");
  if (text.textContent !== STATES[name]) text.textContent = STATES[name];
}
