import type { Command } from 'commander';

import { parseConfig, type Config } from '#server/config/config.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { refusalWords } from '#server/domain/refusal-words.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Stores } from '#server/stores/open.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person watches what `err` gets. */
  readonly isWatched?: boolean;
  /** What the process was started with, for programs that it runs. */
  readonly inheritedUmask?: number;
}

/** What a command answers, twice: for scripts and for people. */
export interface Answer {
  readonly json: unknown;
  /** Lines, without the last line end. */
  readonly text: string;
}

/** The command was called rightly but cannot be done; the message is for the operator. */
export class Failure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Failure';
  }
}

/** How a command opens the stores. */
export interface OnStoresOptions {
  /** Whether a data folder without a database gets one; otherwise it is taken for a slip in CUBBY_DATA_DIR. */
  readonly orNew?: boolean;
  /** What the command stamps its writes with; the machine's own clock when left out. */
  readonly clock?: Clock | undefined;
}

/** What every command stands on: where its configuration comes from, its stores, and how it answers. */
export class Operator {
  readonly env: Environment;
  readonly #streams: Streams;

  constructor(env: Environment, streams: Streams) {
    this.env = env;
    this.#streams = streams;
  }

  /** An action for commander: runs `work` with the command's arguments and options, and prints its answer. */
  answering<Args extends unknown[]>(
    work: (...args: Args) => Promise<Answer>,
  ): (...args: [...Args, Command]) => Promise<void> {
    return async (...all) => {
      const command = all.at(-1) as Command;
      this.print(await work(...(all.slice(0, -1) as Args)), command);
    };
  }

  print({ json, text }: Answer, command: Command): void {
    this.#streams.out(`${command.optsWithGlobals().json ? JSON.stringify(json, null, 2) : text}\n`);
  }

  /** How far a long command is, on one line that the next one overwrites; '' clears it. Only where a person watches. */
  progress(text: string): void {
    if (this.#streams.isWatched) this.#streams.err(`\r\u001b[K${text}`);
  }

  /** From now on new files get the modes that the operator chose: for commands that run programs. What Cubby itself makes says its own. */
  restoreUmask(): void {
    if (this.#streams.inheritedUmask !== undefined) process.umask(this.#streams.inheritedUmask);
  }

  /** @throws {ConfigProblems} */
  config(): Config {
    return parseConfig(this.env);
  }

  /** Runs `work` over the stores of the data folder, beside a server that may be running on it. */
  async onStores<T>(
    work: (stores: Stores, config: Config) => Promise<T>,
    { orNew = false, clock }: OnStoresOptions = {},
  ): Promise<T> {
    const config = this.config();
    // The stores hang on these two; help and usage errors do without.
    const [{ explained, hasStores, isInWords, openStores }, { openLog }] = await Promise.all([
      import('#server/stores/open.ts'),
      import('#server/log.ts'),
    ]);
    if (!orNew && !hasStores(config)) {
      throw new Failure(
        `There is no Cubby database in ${config.dataDir}. Set CUBBY_DATA_DIR to the server's data folder, or make the first account there.`,
      );
    }
    const stores = await openStores(config, openLog(config.logLevel), { ...(clock && { clock }) }).catch(
      (error: unknown) => {
        throw isInWords(error)
          ? error
          : new Failure(`The data folder ${config.dataDir} cannot be used: ${wordsFor(error)}`);
      },
    );
    try {
      return await work(stores, config);
    } catch (error) {
      throw explained(config, error);
    } finally {
      await stores.close();
    }
  }
}

/** An error in words, with what lies behind it. */
export function wordsFor(error: unknown): string {
  if (error instanceof Refusal) return refusalWords(error);
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${wordsFor(error.cause)})`;
}
