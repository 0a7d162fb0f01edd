import { describe, expect, it } from 'vitest';

import { createKey } from '#server/domain/access/create-key.ts';
import { authenticateConsole } from '#server/domain/console/authenticate-browser.ts';
import type { BrowserSession } from '#server/domain/sessions/browser-session.ts';
import { SignedOut } from '#server/domain/sessions/signed-out.ts';
import { openTestStores } from '#test/support/stores.ts';

/** A session of a key that lives for 7 days, as its table returns it. */
async function signedIn() {
  const stores = await openTestStores();
  const { id: accountId } = await stores.account();
  const { key } = await createKey(stores, { accountId, name: 'k', scopes: ['*'], lifetimeMs: 7 * 86_400_000 });
  const expiresAt = stores.clock.now() + 30 * 86_400_000;
  const session = { id: 's', accountId, keyId: key.id, expiresAt } as BrowserSession;
  const deps = (found: BrowserSession | undefined) => ({
    ...stores,
    metadata: { read: { ...stores.metadata.read, browserSessions: { findByHash: async () => found } as never } },
  });
  return { stores, key, session, expiresAt, ask: (found = session) => authenticateConsole(deps(found), 'secret') };
}

describe('authenticateConsole()', () => {
  it('finds the account and the key of a session', async () => {
    const { ask, key, session } = await signedIn();
    expect(await ask()).toMatchObject({ account: { id: session.accountId }, key: { id: key.id }, isSession: true });
  });

  it('is signed out from the millisecond in which the session or its key ends', async () => {
    const { ask, session, stores } = await signedIn();
    const now = stores.clock.now();
    await expect(ask({ ...session, expiresAt: now })).rejects.toThrow(SignedOut);
    expect(await ask({ ...session, expiresAt: now + 1 })).toMatchObject({ isSession: true });
    stores.clock.advance(7 * 86_400_000 - 1);
    expect(await ask()).toMatchObject({ isSession: true });
    stores.clock.advance(1);
    await expect(ask()).rejects.toThrow(SignedOut);
  });

  it('is signed out by a key that is revoked or unknown', async () => {
    const { ask, key, session, stores } = await signedIn();
    await expect(ask({ ...session, keyId: 'other' })).rejects.toThrow(SignedOut);
    await stores.metadata.atomically((tx) => tx.apiKeys.revoke(key.id, tx.now));
    await expect(ask()).rejects.toThrow(SignedOut);
  });
});
