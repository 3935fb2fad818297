// The ledgers of exposures, which all copies of the client in a page share. The core decides what is in them.

type Ledgers = WeakMap<object, Set<string>>;

const NAME = Symbol.for("flagservice.exposures");

/** Adds an entry to the ledger of an integration's source. False if it is there already. */
export function remember(source: object, entry: string): boolean {
  const page = globalThis as { [NAME]?: Ledgers };
  page[NAME] ??= new WeakMap();
  const ledgers = page[NAME];
  const ledger = ledgers.get(source) ?? new Set();
  ledgers.set(source, ledger);
  return ledger.size < ledger.add(entry).size;
}
