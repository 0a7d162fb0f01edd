/** Lets a few pieces of work of the same name run at once. The others wait for their turn, in order. */
export class Lanes {
  readonly #width: number;
  readonly #lanes = new Map<string, { running: number; readonly waiting: Array<() => void> }>();

  /** @param width how many pieces of one name run at once */
  constructor(width: number) {
    this.#width = width;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    let lane = this.#lanes.get(name);
    if (!lane) this.#lanes.set(name, (lane = { running: 0, waiting: [] }));
    const { waiting } = lane;
    if (lane.running < this.#width) lane.running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else if ((lane.running -= 1) === 0) this.#lanes.delete(name);
    }
  }
}
