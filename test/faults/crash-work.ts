import type { SpawnedServer } from './spawned-server.ts';

/** One kind of work on a server that will be killed, and the memory of what servers promised in their answers. */
export interface CrashWork {
  /** Works until the server is gone. */
  begin(server: SpawnedServer): Promise<Working>;
  /** Holds the next server to what the killed one has promised. Returns what is wrong. */
  check(server: SpawnedServer): Promise<readonly string[]>;
  /** What was promised and kept so far, in words. */
  summary(): string;
}

/** Work under way. */
export interface Working {
  /** Resolves once so much is answered that a kill tells something. */
  readonly enough: Promise<unknown>;
  /** Resolves when the server is gone; rejects with the first answer that is no success. */
  readonly ended: Promise<unknown>;
}

/** Whether a request failed because its connection broke, as all do when the server is killed. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof TypeError; // as fetch() has it
}
