// What a command prints, as one would read it in a terminal.

export class Terminal {
  #streams;
  /** All that it has printed. */
  text = "";

  /** Of a child process whose output is piped. */
  constructor({ stdout, stderr }) {
    this.#streams = [stdout, stderr];
    for (const stream of this.#streams) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        this.text += chunk;
      });
    }
  }

  /** Resolves to what the pattern finds, once it does, behind the first `from` characters. */
  says(pattern, from = 0) {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.text.slice(from).match(pattern);
        if (!found) return;
        for (const stream of this.#streams) stream.off("data", look);
        resolve(found);
      };
      for (const stream of this.#streams) stream.on("data", look);
      look();
    });
  }
}
