import { describe, expect, it } from 'vitest';

import { reportingPublicChanges } from '#server/backends/public-changes.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import type { AtomicOptions, Metadata } from '#server/domain/ports/metadata.ts';
import { store } from '#test/domain/objects/stored.ts';
import { openTestStores } from '#test/support/stores.ts';

describe('reportingPublicChanges()', () => {
  it('passes the options of a transaction on to the store', async () => {
    const { metadata } = await openTestStores();
    const seen: Array<AtomicOptions | undefined> = [];
    const watched: Metadata = {
      read: metadata.read,
      atomically(work, options) {
        seen.push(options);
        return metadata.atomically(work, options);
      },
    };
    const reporting = reportingPublicChanges(watched, () => {});
    await reporting.atomically(async () => {}, { isDurable: false });
    await reporting.atomically(async () => {});
    expect(seen).toEqual([{ isDurable: false }, undefined]);
  });

  it('reports a removed public file, unless its remover tells the CDN', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const changed: string[] = [];
    const reporting = reportingPublicChanges(
      stores.metadata,
      (files: readonly StoredObject[]) => void changed.push(...files.map(({ key }) => key)),
    );
    for (const [key, options] of [
      ['a.png', {}],
      ['b.png', { isPurgedByCaller: true }],
    ] as const) {
      const file = await store(stores, { accountId: account.id, key });
      await reporting.atomically((tx) => tx.objects.remove(file), options);
    }
    expect(changed).toEqual(['a.png']);
  });
});
