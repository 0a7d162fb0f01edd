import { describe, expect, it } from 'vitest';

import type { StoreInTest } from './store-in-test.ts';

/** The table of sessions. */
export function sessionsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: sessions`, () => {
    const session = { hash: Buffer.from('hash'), keyHash: Buffer.from('key'), expiresAt: 5000, wrongCodes: 0 };
    const bytes = (
      found:
        | typeof session
        | undefined
        | { hash: Uint8Array; keyHash: Uint8Array; expiresAt: number; wrongCodes: number },
    ) => found && { ...found, hash: Buffer.from(found.hash), keyHash: Buffer.from(found.keyHash) };

    it('are stored, read and removed, and a repeated removal is accepted', async () => {
      await write((tx) => tx.sessions.add(session));
      expect(bytes(await store.metadata.read.sessions.find(session.hash))).toEqual(session);
      expect(bytes(await write((tx) => tx.sessions.find(session.hash)))).toEqual(session);
      expect(await store.metadata.read.sessions.find(session.keyHash)).toBeUndefined();
      await write((tx) => tx.sessions.remove(session.hash));
      await write((tx) => tx.sessions.remove(session.hash));
      expect(await store.metadata.read.sessions.find(session.hash)).toBeUndefined();
    });

    it('count wrong codes exactly, and count none for a removed session', async () => {
      await write((tx) => tx.sessions.add(session));
      const counts = await Promise.all(
        Array.from({ length: 8 }, () => write((tx) => tx.sessions.countWrongCode(session.hash))),
      );
      expect(counts.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(await write((tx) => tx.sessions.countWrongCode(Buffer.from('none')))).toBe(0);
    });

    it('are removed after they have ended, up to the limit', async () => {
      for (const [index, expiresAt] of [1000, 2000, 3000].entries())
        await write((tx) => tx.sessions.add({ ...session, hash: Buffer.from([index]), expiresAt }));
      expect(await write((tx) => tx.sessions.forgetBefore(2000, 1))).toBe(1);
      expect(await store.metadata.read.sessions.find(Buffer.from([0]))).toBeUndefined();
      expect(await write((tx) => tx.sessions.forgetBefore(2000, 5))).toBe(1);
      expect(await write((tx) => tx.sessions.forgetBefore(2999, 5))).toBe(0);
      expect(await store.metadata.read.sessions.find(Buffer.from([2]))).toBeDefined();
    });
  });
}
