import type { Session } from './session.ts';

export interface SessionsReader {
  /** One that is over is found too. */
  find(hash: Uint8Array): Promise<Session | undefined>;
}

export interface SessionsTable extends SessionsReader {
  add(session: Session): Promise<void>;
  /** Adds one to its wrong codes, and answers how many there are now; 0 when there is no such session. */
  countWrongCode(hash: Uint8Array): Promise<number>;
  /** Removing one that is not there is no error. */
  remove(hash: Uint8Array): Promise<void>;
  /** Removes up to `limit` of those that are over at `at`, and answers how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly sessions: SessionsReader;
  }
  interface Tables {
    readonly sessions: SessionsTable;
  }
}
