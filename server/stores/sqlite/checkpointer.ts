import { isDiskFull } from './database-errors.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

interface CheckpointerOptions {
  /** The log is long when it has this many pages that are not copied. */
  readonly maxLogPages: number;
  /** Receives the error when the log could not be copied. It is tried again when the log has grown by as much again. */
  onFault(error: unknown): void;
  /** Frees reserved space on a full disk. Returns whether it did. */
  onFull(): boolean;
}

/** Keeps the log short, so that it neither slows reads nor fills the disk. */
export class Checkpointer {
  readonly #log: WriteAheadLog;
  readonly #options: CheckpointerOptions;
  #copying: Promise<void> | undefined;
  #fromPages: number;
  #pause: Promise<void> | undefined;

  constructor(log: WriteAheadLog, options: CheckpointerOptions) {
    this.#log = log;
    this.#options = options;
    this.#fromPages = options.maxLogPages;
  }

  /** A promise that commits wait for. It is nearly always undefined. Never rejects. */
  get pause(): Promise<void> | undefined {
    return this.#pause;
  }

  /**
   * Copies a long log while commits continue. Then copies the pages that they added, while they wait. Call it after
   * commits.
   */
  watch(): void {
    if (this.#copying || this.#pendingPages() < this.#fromPages) return;
    this.#copying = this.#shorten().finally(() => (this.#copying = undefined));
  }

  /** Resolves once no copy is under way. */
  async idle(): Promise<void> {
    await this.#copying;
  }

  async #shorten(): Promise<void> {
    await this.#copied();
    // Only a log that is copied whole starts again.
    await (this.#pause = this.#copied());
    this.#pause = undefined;
    // Pages that could not be copied, on a full disk or because another process reads, are tried again later.
    this.#fromPages = this.#options.maxLogPages + this.#pendingPages();
  }

  async #copied(): Promise<void> {
    for (;;) {
      try {
        return await this.#log.copy();
      } catch (error) {
        // The database file grows by what the log adds to it.
        if (!isDiskFull(error) || !this.#options.onFull()) return this.#options.onFault(error);
      }
    }
  }

  #pendingPages(): number {
    try {
      return this.#log.pendingPages();
    } catch {
      return 0; // a log that cannot be read now could not be copied either
    }
  }
}
