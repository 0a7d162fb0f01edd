import { afterAll, beforeAll } from 'vitest';

import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { StoredState } from './stored-state.ts';

/** The server and accounts to which the tests of one file send bad input. They exist from the file's hooks on. */
export interface Watched {
  readonly server: TestServer;
  /** An account on Enterprise. */
  readonly account: TestAccount;
  /** Reads what the server has stored, without its code. */
  readonly state: StoredState;
}

/**
 * Starts a server with an account before the tests of a file, and stops it after them. At the end each file on its disk
 * must be named by a row. Call it at the top of a file. Later hooks may use it.
 *
 * @param sendsFiles whether tests send bytes, so that files are checked after each request too
 */
export function watchedServer({
  sendsFiles = false,
  env = {},
}: { readonly sendsFiles?: boolean; readonly env?: Readonly<Record<string, string>> } = {}): Watched {
  const parts: { -readonly [Part in keyof Watched]?: Watched[Part] } = {};
  beforeAll(async () => {
    parts.server = await startTestServer({ env });
    parts.account = await parts.server.account();
    parts.state = new StoredState(parts.server, { readsFiles: sendsFiles });
  });
  afterAll(async () => {
    try {
      await parts.state?.expectNoStrayFiles();
    } finally {
      parts.state?.close();
      await parts.server?.stop();
    }
  });
  return {
    get server() {
      return parts.server!;
    },
    get account() {
      return parts.account!;
    },
    get state() {
      return parts.state!;
    },
  };
}
