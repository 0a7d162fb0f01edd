import { describe, expect, it } from 'vitest';

import { createKey } from '#server/domain/access/create-key.ts';
import { noteKeyUse } from '#server/domain/access/note-key-use.ts';
import { openTestStores } from '#test/support/stores.ts';
import { minting } from '#test/features/upload-tokens/tokens.ts';

describe('noteKeyUse()', () => {
  it('writes once a minute for each key', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const { key } = await createKey(stores, { accountId: account.id, name: 'test', scopes: ['*'] });
    let writes = 0;
    const metadata = {
      atomically: <T>(work: Parameters<typeof stores.metadata.atomically<T>>[0]) => (
        writes++,
        stores.metadata.atomically(work)
      ),
    };
    const note = noteKeyUse({ metadata, clock: stores.clock });
    const lastUse = async () => (await stores.metadata.read.apiKeys.find(key.id))!.lastUsedAt;

    const start = stores.clock.now();
    await Promise.all(Array.from({ length: 20 }, () => note({ account, key })));
    expect([writes, await lastUse()]).toEqual([1, start]);
    stores.clock.advance(59_999);
    await note({ account, key });
    expect([writes, await lastUse()]).toEqual([1, start]);
    stores.clock.advance(1);
    await note({ account, key });
    expect([writes, await lastUse()]).toEqual([2, start + 60_000]);
  });

  it('does not count an upload with a token as a use of its key', async () => {
    const stores = await openTestStores();
    const { account, key, mint } = await minting(stores);
    const { token } = await mint();
    await noteKeyUse(stores)({ account, key, token });
    expect((await stores.metadata.read.apiKeys.find(key.id))!.lastUsedAt).toBeNull();
  });

  it('does not write again what an earlier process wrote', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const { key } = await createKey(stores, { accountId: account.id, name: 'test', scopes: ['*'] });
    const metadata = { atomically: () => expect.unreachable('a write') };
    await noteKeyUse({ metadata, clock: stores.clock })({
      account,
      key: { ...key, lastUsedAt: stores.clock.now() - 59_999 },
    });
  });
});
