import { describe, expect, it } from 'vitest';

import { notingPublicChanges } from '#server/features/files/backends/public-changes.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { ObjectChanges } from '#server/features/files/object-changes.ts';
import { publicUrl as urlAt } from '#server/features/files/public-url.ts';
import { updateObjects } from '#server/features/files/update-objects.ts';
import { CdnUnavailable } from '#server/domain/ports/cdn.ts';
import { MetadataFailed, MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { openTestStores } from '#test/support/stores.ts';
import { store } from './stored.ts';

const nothing: ObjectChanges = {
  isPrivate: undefined,
  expire: undefined,
  cacheControl: undefined,
  disposition: undefined,
  metadata: undefined,
};

/** Hides a public file behind a CDN that refuses to drop it. `meanwhile` runs while the CDN is asked. */
async function hide(
  meanwhile: (
    update: (address: ObjectAddress, changes: Partial<ObjectChanges>) => Promise<unknown>,
    address: ObjectAddress,
  ) => Promise<unknown> = async () => {},
) {
  const stores = await openTestStores();
  const account = await stores.account();
  const file = await store(stores, {
    accountId: account.id,
    key: 'a_abcdefghijklmnop.png',
    suffix: { hash: 'abcdefghijklmnop', mark: null, extension: 'png' },
  });
  const hidden = { ...file, space: 'private' } as const;
  const publicHost = 'https://public.example';
  const publicUrl = (object: ObjectAddress) => urlAt(publicHost, object);
  const callerMs = 30_000;
  const metadata = notingPublicChanges(stores.metadata, { publicHost, ids: stores.ids, callerMs, onNoted: () => {} });
  const update = async (address: ObjectAddress, changes: Partial<ObjectChanges>) => {
    const purge = async () => {
      await meanwhile(update, hidden);
      throw new CdnUnavailable('no');
    };
    const deps = { ...stores, metadata, cdn: { purge }, publicUrl };
    return (
      await updateObjects(deps, {
        account,
        addresses: [address],
        changes: { ...nothing, ...changes },
        actor: systemActor,
      })
    )[0];
  };
  const outcome = await update(file, { isPrivate: true });
  const { objects } = stores.metadata.read;
  const told = (await stores.metadata.read.activity.scan({ accountId: account.id, limit: 10 })).map(
    ({ details }) => details.changed,
  );
  stores.clock.advance(callerMs);
  const later = await stores.metadata.atomically((tx) => tx.purges.takeNew(10, tx.now));
  const [shown, found] = [await objects.find(file), await objects.find(hidden)];
  return { url: publicUrl(file), outcome, file, shown, hidden: found, told, later: later.map(({ url }) => url) };
}

describe('updateObjects() behind a CDN that fails', () => {
  it('returns VISIBILITY_CHANGE_FAILED and leaves the file public and unchanged', async () => {
    const { file, outcome, shown, hidden, told, later } = await hide();
    expect(later, 'nothing has changed that a CDN had to be told').toEqual([]);
    expect(told).toEqual([]);
    expect(outcome).toEqual({ ok: false, code: 'VISIBILITY_CHANGE_FAILED' });
    expect([shown, hidden]).toEqual([file, undefined]);
  });

  it('keeps the changes of another request meanwhile, and tells the CDN later', async () => {
    const { url, outcome, shown, hidden, told, later } = await hide((update, address) =>
      update(address, { disposition: 'attachment', metadata: { a: 'x' } }),
    );
    expect(outcome).toEqual({ ok: false, code: 'VISIBILITY_CHANGE_FAILED' });
    expect(shown).toBeUndefined();
    expect(hidden).toMatchObject({ disposition: 'attachment', metadata: { a: 'x' } });
    expect(later).toEqual([url]);
    expect(told).toEqual([['disposition', 'metadata'], ['private']]);
  });

  it('asks the CDN once for all files of a request, and leaves every one of them public', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const files = [
      await store(stores, { accountId: account.id, key: 'a.png' }),
      await store(stores, { accountId: account.id, key: 'b.png' }),
    ];
    let calls = 0;
    const purge = async () => {
      calls++;
      throw new CdnUnavailable('no');
    };
    const deps = { ...stores, cdn: { purge }, publicUrl: () => 'https://public.example/a' };
    const outcomes = await updateObjects(deps, {
      account,
      addresses: files,
      changes: { ...nothing, isPrivate: true },
      actor: systemActor,
    });
    expect(outcomes).toEqual(files.map(() => ({ ok: false, code: 'VISIBILITY_CHANGE_FAILED' })));
    expect(await Promise.all(files.map((file) => stores.metadata.read.objects.find(file)))).toEqual(files);
    expect(calls).toBe(1);
  });
});

describe('updateObjects() over a store that fails', () => {
  /** Changes two files. The transactions of the first ones fail with these errors. */
  async function update(...failures: readonly Error[]) {
    const stores = await openTestStores();
    const account = await stores.account();
    const addresses = await Promise.all(['a', 'b'].map((key) => store(stores, { accountId: account.id, key })));
    const left = [...failures];
    const metadata: Pick<typeof stores.metadata, 'atomically'> = {
      async atomically(work, options) {
        const failure = left.shift();
        if (failure) throw failure;
        return stores.metadata.atomically(work, options);
      },
    };
    const cdn = { purge: async () => {} };
    const changes = { ...nothing, disposition: 'attachment' } as const;
    const deps = { ...stores, metadata, cdn, publicUrl: () => null };
    return updateObjects(deps, { account, addresses, changes, actor: systemActor });
  }
  const away = new MetadataUnavailable('away', undefined);

  it('passes on that it is unavailable for all files', async () => {
    await expect(update(away, away)).rejects.toBe(away);
  });

  it('returns UPDATE_FAILED for a file, if others were changed or it is broken', async () => {
    const failed = { ok: false, code: 'UPDATE_FAILED' };
    expect(await update(away)).toMatchObject([failed, { ok: true }]);
    const broken = new MetadataFailed('broken', undefined);
    expect(await update(broken, broken)).toMatchObject([failed, failed]);
  });
});
