// The real server for the cases that need it. It starts with the first of them, and one case at a time has it.
import { startService } from "../../support/server/service.mjs";

export class RealServer {
  #service;
  #last = Promise.resolve();

  /** Runs `work(service)` when nobody else has the server. */
  async use(work) {
    const previous = this.#last;
    let release;
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await previous;
    try {
      this.#service ??= startService(["--requests-per-second", "1000"]);
      return await work(await this.#service);
    } finally {
      release();
    }
  }

  async remove() {
    await this.#last;
    await (await this.#service)?.remove();
  }
}
