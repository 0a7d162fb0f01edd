/** Options of {@link Lanes}. */
interface LanesOptions<Piece> {
  /** How many runs of one name are under way at once. */
  readonly width: number;
  /** The most pieces that share a run. */
  readonly mostAtOnce: number;
  /** Runs pieces of one name. Must not reject. */
  readonly run: (pieces: readonly Piece[]) => Promise<void>;
}

interface Lane<Piece> {
  running: number;
  readonly waiting: Piece[];
}

/**
 * Lets a few runs of the same name go on at once. Pieces that come meanwhile wait, in order, and share the next run.
 */
export class Lanes<Piece> {
  readonly #options: LanesOptions<Piece>;
  readonly #lanes = new Map<string, Lane<Piece>>();

  constructor(options: LanesOptions<Piece>) {
    this.#options = options;
  }

  add(name: string, piece: Piece): void {
    let lane = this.#lanes.get(name);
    if (!lane) this.#lanes.set(name, (lane = { running: 0, waiting: [] }));
    lane.waiting.push(piece);
    if (lane.running < this.#options.width) void this.#serve(name, lane);
  }

  async #serve(name: string, lane: Lane<Piece>): Promise<void> {
    const { mostAtOnce, run } = this.#options;
    lane.running += 1;
    while (lane.waiting.length > 0) await run(lane.waiting.splice(0, mostAtOnce));
    lane.running -= 1;
    if (lane.running === 0) this.#lanes.delete(name);
  }
}
