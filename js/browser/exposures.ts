// Whether an exposure is due: once for each user, flag and variant, as long as the page lives, also across several copies
// of this client.

type Ledgers = WeakMap<object, Set<string>>;

const NAME = Symbol.for("flagservice.exposures");

/** Decides whether an exposure is to be sent to an integration's source now, and notes it as sent. */
export function isExposureDue(source: object, userId: string, key: string, variant: string): boolean {
  const ledger = ledgerOf(source);
  // The lengths keep different exposures apart.
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
