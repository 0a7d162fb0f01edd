import { describe, expect, it } from 'vitest';

import { notingPublicChanges } from '#server/features/files/backends/public-changes.ts';
import type { AtomicOptions, Metadata } from '#server/domain/ports/metadata.ts';
import { store } from '#test/features/files/stored.ts';
import { openTestStores } from '#test/support/stores.ts';

const publicHost = 'https://cdn.example.com';

/** Stores with public files, whose changes are noted. */
async function start() {
  const stores = await openTestStores();
  const account = await stores.account();
  let nudges = 0;
  const noting = notingPublicChanges(stores.metadata, {
    publicHost,
    ids: stores.ids,
    callerMs: 1_000,
    onNoted: () => void nudges++,
  });
  const file = (key: string) => store(stores, { accountId: account.id, key });
  /** Takes what is due, and returns its URLs without the host and the account. */
  const due = async () => {
    const taken = await stores.metadata.atomically((tx) => tx.purges.takeNew(10, tx.now + 60_000));
    return taken.map(({ url }) => url.replace(`${publicHost}/${account.id}/`, ''));
  };
  return { stores, noting, file, due, nudges: () => nudges };
}

describe('notingPublicChanges()', () => {
  it('passes the options of a transaction on to the store', async () => {
    const { metadata, ids } = await openTestStores();
    const seen: Array<AtomicOptions | undefined> = [];
    const watched: Metadata = {
      read: metadata.read,
      atomically(work, options) {
        seen.push(options);
        return metadata.atomically(work, options);
      },
    };
    const noting = notingPublicChanges(watched, { publicHost, ids, callerMs: 1_000, onNoted: () => {} });
    await noting.atomically(async () => {}, { isDurable: false });
    await noting.atomically(async () => {});
    expect(seen).toEqual([{ isDurable: false }, undefined]);
  });

  it('notes a removed public file once, and says so after the commit', async () => {
    const { noting, file, due, nudges } = await start();
    const removed = await file('a b.png');
    await noting.atomically(async (tx) => {
      await tx.objects.put(removed);
      await tx.objects.remove(removed);
      expect(nudges()).toBe(0);
    });
    expect(nudges()).toBe(1);
    expect(await due()).toEqual(['a%20b.png']);
  });

  it('notes nothing of a change that is undone', async () => {
    const { noting, file, due, nudges } = await start();
    const kept = await file('a.png');
    const undone = noting.atomically(async (tx) => {
      await tx.objects.remove(kept);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect([await due(), nudges()]).toEqual([[], 0]);
  });

  it('lets a caller that purges by itself do so first', async () => {
    const { stores, noting, file, due, nudges } = await start();
    const hidden = await file('a.png');
    await noting.atomically((tx) => tx.objects.remove(hidden), { purgedChangeId: 'change' });
    expect([await due(), nudges()]).toEqual([[], 0]);
    stores.clock.advance(1_000);
    expect(await due()).toEqual(['a.png']);
  });
});
