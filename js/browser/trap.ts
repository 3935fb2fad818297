// Traps: failures of the core during a call, after which it can no longer be used.

type Export = (...args: unknown[]) => unknown;
type TrapHandler = (error: unknown) => void;

/** Held weakly, so that clients can be garbage collected. */
const handlers = new Set<WeakRef<TrapHandler>>();

/** Calls `handler` when a core has trapped, whichever client called it: all clients share the wasm instance. */
export function onTrap(handler: TrapHandler): void {
  for (const other of handlers) if (!other.deref()) handlers.delete(other);
  handlers.add(new WeakRef(handler));
}

/** Exports that report a trap to the handlers instead of throwing, because the page may be the caller. */
export function guarded(exports: WebAssembly.Exports): WebAssembly.Exports {
  const guard =
    (call: Export): Export =>
    (...args) => {
      try {
        return call(...args);
      } catch (error) {
        for (const handler of handlers) handler.deref()?.(error);
        return 0;
      }
    };
  const entries = Object.entries(exports).map(([name, value]) => [
    name,
    typeof value === "function" ? guard(value as Export) : value,
  ]);
  return Object.fromEntries(entries);
}
