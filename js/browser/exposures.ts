// Whether an exposure is due: once for each user, flag and variant until the page is closed, also with several copies of the
// client.

type Ledgers = WeakMap<object, Set<string>>;

const NAME = Symbol.for("flagservice.exposures");

/** Whether an exposure is due for an integration's source. It is recorded as sent. */
export function isExposureDue(source: object, userId: string, key: string, variant: string): boolean {
  const ledger = ledgerOf(source);
  // The lengths make the entries of different exposures distinct.
  const entry = `${userId.length}:${userId}${key.length}:${key}${variant}`;
  return !ledger.has(entry) && !!ledger.add(entry);
}

function ledgerOf(source: object): Set<string> {
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
