import type { Session } from './session.ts';

export interface SessionsReader {
  /** Finds a session, also an expired one. */
  find(hash: Uint8Array): Promise<Session | undefined>;
}

export interface SessionsTable extends SessionsReader {
  add(session: Session): Promise<void>;
  /** Adds one to its wrong codes. Returns how many there are now; 0 when there is no such session. */
  countWrongCode(hash: Uint8Array): Promise<number>;
  /** Removes a session, if there is one. */
  remove(hash: Uint8Array): Promise<void>;
  /** Removes up to `limit` sessions that expired by `at`. Returns how many. */
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
