import type { SpawnedServer } from './spawned-server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Returns how many clients work at once. In the long form the kills count, and each one is cheaper with fewer. */
export function clients(usual: number): number {
  return isLong ? Math.ceil(usual / 3) : usual;
}

/** One kind of work on a server that will be killed. It remembers the promises of the servers' responses. */
export interface CrashWork {
  /** Works until the server is gone. */
  begin(server: SpawnedServer): Promise<Working>;
  /** Checks the promises of the killed server on the next one. Returns the violations. */
  check(server: SpawnedServer): Promise<readonly string[]>;
  /** The kept promises so far, as text. */
  summary(): string;
}

/** Running work. */
export interface Working {
  /** Resolves after enough responses for a meaningful kill. */
  readonly enough: Promise<unknown>;
  /** Resolves when the server is gone. Rejects then if a response was not a success. */
  readonly ended: Promise<unknown>;
}

/** Returns whether a request failed because its connection broke, as it does when the server is killed. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof TypeError; // the error of fetch()
}

/** Waits for all workers. Rejects with the first error when none is at work any more. */
export async function allEnded(workers: ReadonlyArray<Promise<unknown>>): Promise<void> {
  await Promise.allSettled(workers);
  await Promise.all(workers);
}
