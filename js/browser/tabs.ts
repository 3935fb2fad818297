// The tabs of a browser that share a stream: a lock of the browser chooses the tab that holds it, and a channel connects them.

/** What is reported to the core: `CallbackSource::Tabs` in src/browser/shell.rs. */
const MESSAGE = 0;
const GRANTED = 1;
const TAKEN = 2;

/** The other tabs, for one client. */
interface Tabs {
  /** As `_joinTabs` of the shell. */
  _join(name: string, take: boolean): void;
  /** As `_tellTabs` of the shell. */
  _tell(message: string): void;
}

/** `tellCore` gets what the core is told. */
export function tabsOf(tellCore: (index: number, message?: string) => void): Tabs {
  let channel: BroadcastChannel | undefined;
  let leaving: AbortController | undefined;
  return {
    _join(name, take) {
      leaving?.abort();
      channel?.close();
      channel = undefined;
      if (!name) return;
      leaving = new AbortController();
      const { signal } = leaving;
      const hold = (): Promise<unknown> | undefined => {
        // Chromium may grant a lock after its request was aborted.
        if (signal.aborted) return;
        tellCore(GRANTED);
        return new Promise((resolve) => {
          signal.onabort = resolve;
        });
      };
      const request = (options: LockOptions): unknown =>
        navigator.locks.request(name, options, hold).catch((error) => {
          // The tab has left, or holds a stream of its own.
          if (signal.aborted) return;
          // Storage may be blocked, and locks with it.
          if (error.name !== "AbortError") return hold();
          tellCore(TAKEN);
          request({ signal });
        });
      try {
        request(take ? { steal: true } : { signal });
        channel = new BroadcastChannel(name);
        channel.onmessage = ({ data }) => tellCore(MESSAGE, data);
      } catch {
        // The browser has no locks or no channels. In the second case it would grant the lock later.
        leaving.abort();
        tellCore(GRANTED);
      }
    },
    _tell: (message) => channel?.postMessage(message),
  };
}
