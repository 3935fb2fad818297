// The output of a command, both streams together, as in a terminal.

export class Terminal {
  #streams;
  /** The output so far. */
  text = "";

  /** Takes a child process whose output is piped. */
  constructor({ stdout, stderr }) {
    this.#streams = [stdout, stderr];
    for (const stream of this.#streams) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        this.text += chunk;
      });
    }
  }

  /** Waits for a match, after the first `from` characters. */
  says(pattern, from = 0) {
    return new Promise((resolve) => {
      const check = () => {
        const found = this.text.slice(from).match(pattern);
        if (!found) return;
        for (const stream of this.#streams) stream.off("data", check);
        resolve(found);
      };
      for (const stream of this.#streams) stream.on("data", check);
      check();
    });
  }
}
