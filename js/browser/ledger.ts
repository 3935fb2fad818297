// The ledgers of exposures, which all copies of the client in a page share. The core decides what is in them.

/** What was sent: the name of user and flag, followed by the variant. The latest variant is a property of that name. */
type Ledger = Set<string>;

const NAME = Symbol.for("flagservice.exposures");

/** Adds a variant to the ledger of an integration's source: `_remember` of the shell. */
export function remember(source: object, name: string, variant: string): number {
  const page = globalThis as { [NAME]?: WeakMap<object, Ledger> };
  page[NAME] ??= new WeakMap();
  const ledgers = page[NAME];
  const ledger = ledgers.get(source) ?? new Set();
  ledgers.set(source, ledger);
  const latest = ledger as unknown as Record<string, string>;
  if (latest[name] === variant) return 0;
  latest[name] = variant;
  return ledger.size < ledger.add(name + variant).size ? 2 : 1;
}
