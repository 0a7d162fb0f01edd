/** Lets a few pieces of work run at a time, and a few more wait. */
export class Turns {
  readonly #limits: { readonly running: number; readonly waiting: number };
  readonly #waiting: Array<() => void> = [];
  #running = 0;

  constructor(limits: { readonly running: number; readonly waiting: number }) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `work` when its turn comes. Undefined if too many wait already. */
  take<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (this.#running < this.#limits.running) {
      this.#running++;
      return this.#run(work);
    }
    if (this.#waiting.length >= this.#limits.waiting) return undefined;
    return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.#run(work));
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      // The turn goes straight to the next one, so that no newcomer overtakes.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
