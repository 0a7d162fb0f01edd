import { afterAll, describe, expect, it } from 'vitest';

import { passwordTries } from '#server/features/shares/limits.ts';
import { unlockShare } from '#server/features/shares/unlock-share.ts';
import type { HashLane, HashQueue } from '#server/domain/hash-queue.ts';
import { hashPassword } from '#server/features/shares/password.ts';
import { scryptThreads } from '#server/stores/system/scrypt-threads.ts';
import { storedShareId } from '#server/features/shares/share-id.ts';
import { openTestStores } from '#test/support/stores.ts';

const password = 'correct horse';

const { scrypt, close } = scryptThreads();
afterAll(close);

/** Makes links of two accounts, whose wrong passwords are recognised without hashing. */
async function guarded() {
  const stores = await openTestStores();
  const passwordHash = await hashPassword(scrypt, password);
  const accounts = [(await stores.account()).id, (await stores.account()).id] as const;
  await stores.metadata.atomically(async (tx) => {
    for (const accountId of accounts) {
      const object = { accountId, space: 'private', key: 'a.txt' } as const;
      const content = {
        id: `content-${accountId}`,
        sizeBytes: 1000,
        crc32: 1,
        blobs: [{ blobId: `blob-${accountId}`, sizeBytes: 1000, inline: null }],
      };
      await tx.contents.add(content);
      await tx.objects.put({
        ...object,
        suffix: { hash: null, mark: null, extension: 'txt' },
        generation: 'one',
        versionId: 'version-1',
        contentId: content.id,
        sizeBytes: 1000,
        etag: 'e',
        sha256: null,
        createdAt: 0,
        expiresAt: null,
        cacheControl: null,
        disposition: null,
        originalName: null,
        metadata: {},
        clientProperties: null,
      });
      for (const id of [`first-${accountId}`, `second-${accountId}`]) {
        await tx.shares.add({
          ...storedShareId(stores.secrets, id),
          object,
          generation: 'one',
          bundle: null,
          fileCount: null,
          createdAt: 0,
          expiresAt: stores.clock.now() + 600_000,
          maxDownloads: null,
          remainingDownloads: null,
          passwordHash,
          hasLanding: false,
          title: null,
          message: null,
          downloads: 0,
          revokedAt: null,
        });
      }
    }
  });
  const lanes: HashLane[] = [];
  const hashing: HashQueue = {
    waiting: 0,
    run: (lane, work) => {
      lanes.push(lane);
      return isGuess ? Promise.resolve(false as never) : work();
    },
  };
  let isGuess = false;
  const deps = { ...stores, hashing, scrypt, tries: stores.passwordTries };
  const give = (shareId: string, given: string, address = '192.0.2.1') => {
    isGuess = given !== password;
    return unlockShare(deps, { shareId, password: given, address });
  };
  return { accounts, lanes, give };
}

describe('unlockShare()', () => {
  it("waits in the lane of its link and of the link's account, or in one lane for all unknown links", async () => {
    const { accounts, lanes, give } = await guarded();
    for (const link of ['first', 'second']) await give(`${link}-${accounts[0]}`, 'wrong one').catch(() => {});
    await give(`first-${accounts[1]}`, 'wrong one').catch(() => {});
    for (const unknown of ['unknown-1', 'unknown-2']) await give(unknown, 'wrong one').catch(() => {});
    expect(lanes.map(({ account }) => account)).toEqual([accounts[0], accounts[0], accounts[1], 'unknown', 'unknown']);
    expect(new Set(lanes.map(({ account, of }) => `${account} ${of}`)).size).toBe(4);
  });

  it('accepts the right password from a new address while others guess at the link', async () => {
    const { accounts, give } = await guarded();
    const link = `first-${accounts[0]}`;
    for (let at = 0; at < passwordTries.perLink; at++)
      await expect(give(link, 'wrong one', `10.0.0.${at >> 1}`)).rejects.toMatchObject({
        code: 'SHARE_PASSWORD_REQUIRED',
      });
    await expect(give(link, 'wrong one', '10.0.0.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await give(link, password, '198.51.100.1')).toMatch(/./);
  });
});
