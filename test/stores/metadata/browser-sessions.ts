import { describe, expect, it } from 'vitest';

import type { BrowserSession } from '#server/domain/sessions/browser-session.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of the console's sessions. */
export function browserSessionsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: sessions of browsers`, () => {
    const session: BrowserSession = {
      id: 'ses_1',
      accountId: '204815162342108999',
      keyId: 'key_1',
      createdAt: 1000,
      lastUsedAt: 1000,
      expiresAt: 5000,
      sourceIp: '203.0.113.7',
      userAgent: 'Firefox',
    };
    const add = (part: Partial<BrowserSession> = {}) => {
      const added = { ...session, ...part };
      return write((tx) => tx.browserSessions.add(added, Buffer.from(added.id)));
    };
    const find = (id: string) => store.metadata.read.browserSessions.findByHash(Buffer.from(id));

    it('are stored, read and ended, each once and by its own account', async () => {
      await add();
      await add({ id: 'ses_op', accountId: null, userAgent: null });
      expect(await find('ses_1')).toEqual(session);
      expect(await find('ses_op')).toMatchObject({ accountId: null, userAgent: null });
      expect(await find('ses_2')).toBeUndefined();
      const end = (id: string, accountId: string | null, now = 2000) =>
        write((tx) => tx.browserSessions.end(id, accountId, now));
      expect(await end('ses_1', '204815162342108998')).toBe(false);
      expect(await end('ses_1', null)).toBe(false);
      expect(await end('ses_1', session.accountId, 5000)).toBe(false);
      expect(await end('ses_op', session.accountId)).toBe(false);
      expect(await end('ses_1', session.accountId)).toBe(true);
      expect(await end('ses_1', session.accountId)).toBe(false);
      expect(await end('ses_op', null)).toBe(true);
    });

    it('are listed newest first without those that have expired, and note their use', async () => {
      await add();
      await add({ id: 'ses_2', createdAt: 2000 });
      await add({ id: 'ses_3', createdAt: 3000, expiresAt: 4000 });
      await add({ id: 'ses_4', accountId: '204815162342108998' });
      await write((tx) => tx.browserSessions.noteUse('ses_2', 3500));
      const live = await store.metadata.read.browserSessions.liveOf(session.accountId!, 4000);
      expect(live.map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([
        ['ses_2', 3500],
        ['ses_1', 1000],
      ]);
    });

    it('give way to one more: expired ones go first, then the oldest of the owner', async () => {
      for (let number = 1; number <= 5; number++) await add({ id: `ses_${number}`, createdAt: number * 10 });
      await add({ id: 'ses_old', createdAt: 9, keyId: 'key_2', accountId: null });
      await add({ id: 'ses_over', createdAt: 99, expiresAt: 100 });
      const owner = { accountId: session.accountId! };
      await write((tx) => tx.browserSessions.removeSurplus(owner, 4, 100));
      expect(await find('ses_over')).toBeUndefined();
      const live = await store.metadata.read.browserSessions.liveOf(session.accountId!, 100);
      expect(live.map(({ id }) => id)).toEqual(['ses_5', 'ses_4', 'ses_3']);
      expect(await find('ses_old')).toBeDefined();
      await write((tx) => tx.browserSessions.removeSurplus({ keyId: 'key_2' }, 1, 100));
      expect(await find('ses_old')).toBeUndefined();
    });

    it('end with their key or account, and are removed after their end', async () => {
      await add();
      await add({ id: 'ses_2', keyId: 'key_2' });
      await write((tx) => tx.browserSessions.endThoseOf({ keyId: 'key_2' }));
      expect(await find('ses_2')).toBeUndefined();
      await write((tx) => tx.browserSessions.endThoseOf({ accountId: session.accountId! }));
      expect(await find('ses_1')).toBeUndefined();
      for (const [index, expiresAt] of [1000, 2000, 3000].entries()) await add({ id: `ses_${index}`, expiresAt });
      expect(await write((tx) => tx.browserSessions.forgetBefore(2000, 1))).toBe(1);
      expect(await find('ses_0')).toBeUndefined();
      expect(await write((tx) => tx.browserSessions.forgetBefore(2000, 5))).toBe(1);
      expect(await write((tx) => tx.browserSessions.forgetBefore(2999, 5))).toBe(0);
    });
  });
}
