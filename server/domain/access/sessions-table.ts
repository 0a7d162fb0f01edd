import type { Session } from './session.ts';

interface SessionsReader {
  /** Finds a session, even an expired one. */
  find(hash: Uint8Array): Promise<Session | undefined>;
}

export interface SessionsTable extends SessionsReader {
  add(session: Session): Promise<void>;
  /** Adds one to the session's wrong codes. Returns the new number, or 0 for an unknown session. */
  countWrongCode(hash: Uint8Array): Promise<number>;
  /** Removes a session if it exists. */
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
