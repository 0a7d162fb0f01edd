import type { BrowserSession } from './browser-session.ts';

/** Whose sessions are meant. */
export type SessionOwner = { readonly accountId: string } | { readonly keyId: string };

interface BrowserSessionsReader {
  /** Finds a session, even an expired one. */
  findByHash(hash: Uint8Array): Promise<BrowserSession | undefined>;
  /** Returns the sessions of an account that have not expired at `now`, newest first. */
  liveOf(accountId: string, now: number): Promise<BrowserSession[]>;
}

export interface BrowserSessionsTable extends BrowserSessionsReader {
  add(session: BrowserSession, hash: Uint8Array): Promise<void>;
  /** Removes the owner's sessions that expired by `now`, and the oldest ones until one more is within `count`. */
  removeSurplus(owner: SessionOwner, count: number, now: number): Promise<void>;
  noteUse(sessionId: string, now: number): Promise<void>;
  /** Removes a session of an account. Returns whether there was one that had not expired at `now`. */
  end(sessionId: string, accountId: string | null, now: number): Promise<boolean>;
  /** Removes all sessions of an account, or of a key. */
  endThoseOf(owner: SessionOwner): Promise<void>;
  /** Removes up to `limit` sessions that expired by `at`. Returns how many. */
  forgetBefore(at: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly browserSessions: BrowserSessionsReader;
  }
  interface Tables {
    readonly browserSessions: BrowserSessionsTable;
  }
}
