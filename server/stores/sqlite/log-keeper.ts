import { isDiskFull } from './database-errors.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

interface LogKeeperOptions {
  /** With so many pages that are not copied the log is long. */
  readonly maxLogPages: number;
  /** Told when the log could not be copied; that is tried again when it has grown by as much again. */
  onFault(error: unknown): void;
  /** Makes room on a full disk, and returns whether it did. */
  onFull(): boolean;
}

/** Keeps the log short, so that it neither slows reading down nor fills the disk. */
export class LogKeeper {
  readonly #log: WriteAheadLog;
  readonly #options: LogKeeperOptions;
  #copying: Promise<void> | undefined;
  #fromPages: number;
  #pause: Promise<void> | undefined;

  constructor(log: WriteAheadLog, options: LogKeeperOptions) {
    this.#log = log;
    this.#options = options;
    this.#fromPages = options.maxLogPages;
  }

  /** What commits are to wait for: nothing nearly always. Never rejects. */
  get pause(): Promise<void> | undefined {
    return this.#pause;
  }

  /**
   * To be called after commits: has a long log copied while they go on, and then what they added, for which they wait.
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
    // Only a log that is copied whole is begun anew.
    await (this.#pause = this.#copied());
    this.#pause = undefined;
    // What could not be copied now, on a full disk or because another process reads it, is tried again when there is
    // more.
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
      return 0; // it cannot be read now, so it could not be copied either
    }
  }
}
