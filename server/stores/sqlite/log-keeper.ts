import type { WriteAheadLog } from './write-ahead-log.ts';

/** Keeps the log short, so that it neither slows reading down nor fills the disk. */
export class LogKeeper {
  readonly #log: WriteAheadLog;
  readonly #onFault: (error: unknown) => void;
  #copying: Promise<void> | undefined;
  readonly #maxPages: number;
  #fromPages: number;
  #pause: Promise<void> | undefined;

  /**
   * @param maxPages with so many pages that are not copied the log is long
   * @param onFault told when the log could not be copied; that is tried again when it has grown by as much again
   */
  constructor(log: WriteAheadLog, maxPages: number, onFault: (error: unknown) => void) {
    this.#log = log;
    this.#maxPages = this.#fromPages = maxPages;
    this.#onFault = onFault;
  }

  /** What commits are to wait for: nothing nearly always. Never rejects. */
  get pause(): Promise<void> | undefined {
    return this.#pause;
  }

  /** To be called after commits: has a long log copied while they go on, and then what they added, for which they wait. */
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
    // Only a log that is copied whole is begun anew.
    await (this.#pause = this.#copied());
    this.#pause = undefined;
    // What could not be copied now, on a full disk or because another process reads it, is tried again when there is more.
    this.#fromPages = this.#maxPages + this.#pendingPages();
  }

  #copied(): Promise<void> {
    return this.#log.copy().catch(this.#onFault);
  }

  #pendingPages(): number {
    try {
      return this.#log.pendingPages();
    } catch {
      return 0; // it cannot be read now, so it could not be copied either
    }
  }
}
