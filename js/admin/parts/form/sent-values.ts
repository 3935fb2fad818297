// Values that were sent to something that answers later, such as the address, and that come back one by one.

/** Tells the values that come back from those that others have set. */
export class SentValues {
  #values: readonly string[] = [];

  add(value: string): void {
    this.#values = [...this.#values, value];
  }

  /** Whether a value that comes back was sent. Those before it no longer come; after a value of others, none do. */
  cameBack(value: string): boolean {
    const index = this.#values.indexOf(value);
    this.#values = index < 0 ? [] : this.#values.slice(index + 1);
    return index >= 0;
  }
}
