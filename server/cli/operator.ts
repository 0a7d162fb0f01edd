import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Command } from 'commander';

import { withCauses } from '#server/causes.ts';
import { parseConfig, type Config } from '#server/config/config.ts';
import { shownDatabase } from '#server/config/database-url.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { plainRefusalMessage } from '#server/domain/refusal-message.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Log } from '#server/log.ts';
import type { Stores } from '#server/stores/stores.ts';
import { parseWatch } from './arguments.ts';
import { bytesText, stepsOnLine, type Progress } from './progress-line.ts';
import { untilStopped } from './until-stopped.ts';

export type { Stores };

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal. */
  readonly isWatched?: boolean;
  /** Whether `out` is a terminal. */
  readonly isScreen?: boolean;
  /** The umask that the process was started with, for programs that it runs. */
  readonly inheritedUmask?: number;
}

/** The result of a command, for scripts and for people. */
export interface Answer {
  readonly json: unknown;
  /** Lines, without a final newline. */
  readonly text: string;
}

/** An error for the operator: the call was correct, but the command could not be done. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Options for opening the stores. */
interface StoresOptions {
  /** Whether a missing database is created. Otherwise it counts as a mistake in CUBBY_DATA_DIR. */
  readonly orNew?: boolean;
  /** A clock that pretends another time, for the times of changes. Defaults to the system clock. */
  readonly clock?: Clock | undefined;
}

/** What opens the stores. It is loaded late, so that help and usage errors stay fast. */
interface StoresOpener {
  /** Returns whether the database has been used. */
  hasStores(config: Config): Promise<boolean>;
  openStores(
    config: Config,
    log: Log,
    options: { readonly by: AuditActor; readonly clock?: Clock; readonly isPretended?: boolean },
  ): Promise<Stores>;
  /** Whether an error says what the operator has to do. */
  isForOperator(error: unknown): boolean;
  /** Returns an error with what the configuration explains about it. */
  explained(config: Config, error: unknown): unknown;
}

interface Watched {
  /** Milliseconds; true without a number. */
  readonly watch?: number | true;
}

/** A command's function for commander, which calls it with the arguments, the options and the command. */
type Action = (...all: unknown[]) => Promise<void>;

/** Gives every command its configuration, its stores and its output. */
export class Operator {
  readonly env: Environment;
  readonly #streams: Streams;
  readonly #loadOpener: () => Promise<StoresOpener>;

  constructor(env: Environment, streams: Streams, loadOpener: () => Promise<StoresOpener>) {
    this.env = env;
    this.#streams = streams;
    this.#loadOpener = loadOpener;
  }

  /** Returns an action that calls `work` with the command's arguments and options, and prints the result. */
  action<Args extends unknown[]>(work: (...args: Args) => Promise<Answer>): Action {
    return async (...all) => {
      const command = all.at(-1) as Command;
      this.print(await work(...(all.slice(0, -1) as Args)), command);
    };
  }

  /** Like `action()`, with the stores before the arguments. */
  storesAction<Args extends unknown[]>(work: (stores: Stores, ...args: Args) => Promise<Answer>): Action {
    return this.action((...args: Args) => this.onStores((stores) => work(stores, ...args)));
  }

  /** Makes a command that prints a list, with `--watch`, which prints it again and again. */
  list<Options extends object>(
    command: Command,
    work: (stores: Stores, options: Options, ...rest: never[]) => Promise<Answer>,
  ): void {
    command
      .option('--watch [seconds]', 'show it again every 2 seconds, or so many, until Ctrl+C', parseWatch)
      .action(async (options: Options & Watched, itself: Command) => {
        const everyMs = options.watch === true ? 2_000 : options.watch;
        await this.onStores(async (stores) => {
          if (everyMs === undefined) return this.print(await work(stores, options), itself);
          await untilStopped(({ signal }) => this.#repeat(() => work(stores, options), itself, everyMs, signal));
        });
      });
  }

  /** Prints a list each time on a clear screen. With `--json`, each list is one line. */
  async #repeat(work: () => Promise<Answer>, command: Command, everyMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { json, text } = await work();
      const isJson = command.optsWithGlobals().json === true;
      const clear = this.#streams.isScreen && !isJson ? '\u001b[2J\u001b[H' : '';
      this.#streams.out(`${clear}${isJson ? JSON.stringify(json) : text}\n`);
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  /** The person at the command line, as the audit log shows them. */
  get actor(): AuditActor {
    return { kind: 'command_line', id: userName(), address: null };
  }

  /** Writes a text to stdout, for output that comes in pieces. */
  write(text: string): void {
    this.#streams.out(text);
  }

  print({ json, text }: Answer, command: Command): void {
    this.#streams.out(`${command.optsWithGlobals().json ? JSON.stringify(json, null, 2) : text}\n`);
  }

  /** Shows progress on one line that the next call overwrites, only on a terminal. An empty text clears the line. */
  progress(text: string): void {
    if (this.#streams.isWatched) this.#streams.err(`\r\u001b[K${text}`);
  }

  /**
   * Runs work that takes long, until it ends or is stopped, and shows its steps on the line of the progress.
   *
   * @param shown returns a number of a step with its unit
   */
  working<T>(
    work: (run: { readonly signal: AbortSignal; readonly onStep: (step: Progress) => void }) => Promise<T>,
    shown: (count: number) => string = bytesText,
  ): Promise<T> {
    const onStep = stepsOnLine((line) => this.progress(line), shown);
    return untilStopped(({ signal }) => work({ signal, onStep })).finally(() => this.progress(''));
  }

  /** Prints a line about something that has happened, for commands that go on. It is no part of the result. */
  tell(text: string): void {
    this.progress('');
    this.#streams.err(`${text}\n`);
  }

  /** Restores the operator's umask, for commands that run programs. Cubby's own files state their modes explicitly. */
  restoreUmask(): void {
    if (this.#streams.inheritedUmask !== undefined) process.umask(this.#streams.inheritedUmask);
  }

  /**
   * Parses the configuration, without the file of models. No command uses it, and its keys may be only in the server's
   * environment.
   *
   * @param changes variables to use in place of those of the environment
   * @throws {ConfigProblems}
   */
  config(changes: Environment = {}): Config {
    return parseConfig({ ...this.env, ...changes, CUBBY_AI_MODELS_FILE: undefined });
  }

  /** Opens the log of a command. */
  async log({ logLevel }: Config): Promise<Log> {
    const { openLog } = await import('#server/log.ts');
    return openLog(logLevel);
  }

  /** Runs `work` on the stores of the data folder. A server may be running on it. */
  async onStores<T>(
    work: (stores: Stores, config: Config) => Promise<T>,
    { orNew = false, clock }: StoresOptions = {},
  ): Promise<T> {
    const config = this.config();
    if (!orNew) await this.requireDatabase(config, ', or create the first account there');
    const { explained, isForOperator, openStores } = await this.#loadOpener();
    const options = { by: this.actor, ...(clock && { clock, isPretended: true }) };
    const stores = await openStores(config, await this.log(config), options).catch((error: unknown) => {
      throw isForOperator(error)
        ? error
        : new Failure(`The data folder ${config.dataDir} cannot be used: ${messageOf(error)}`);
    });
    try {
      return await work(stores, config);
    } catch (error) {
      throw explained(config, error);
    } finally {
      await stores.close();
    }
  }

  /**
   * Checks that there is a database.
   *
   * @param advice what else the operator may do
   * @throws {Failure} if there is none
   */
  async requireDatabase(config: Config, advice = ''): Promise<void> {
    const { hasStores } = await this.#loadOpener();
    if (!(await hasStores(config))) throw new Failure(`${noDatabase(config)}${advice}.`);
  }
}

/** Returns the name of the system user; null for one that the system does not name, as in some containers. */
function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/** The beginning of the message for a data folder without a database. */
function noDatabase({ dataDir, databaseUrl }: Config): string {
  if (databaseUrl)
    return (
      `The database ${shownDatabase(databaseUrl)} has no tables of Cubby. Set CUBBY_DATABASE_URL to ` +
      `the server's database`
    );
  return `There is no Cubby database in ${dataDir}. Set CUBBY_DATA_DIR to the server's data folder`;
}

/** Returns the message of an error, with its causes. */
export function messageOf(error: unknown): string {
  if (error instanceof Refusal) return plainRefusalMessage(error);
  return withCauses(error);
}
