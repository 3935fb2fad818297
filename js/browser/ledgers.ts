// What each integration was told, for the life of the page, also across several copies of this client.

type Ledgers = WeakMap<object, Set<string>>;

const NAME = Symbol.for("flagservice.exposures");

/** The ledger of an integration's source. */
export function ledgerOf(source: object): Set<string> {
  const page = globalThis as { [NAME]?: Ledgers };
  page[NAME] ??= new WeakMap();
  const ledgers = page[NAME];
  let ledger = ledgers.get(source);
  if (!ledger) {
    ledger = new Set();
    ledgers.set(source, ledger);
  }
  return ledger;
}
