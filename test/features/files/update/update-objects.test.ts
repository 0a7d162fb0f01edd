import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { notingPublicChanges } from '#server/features/files/backends/public-changes.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { formatObjectId, spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import type { ObjectChanges } from '#server/features/files/update/object-changes.ts';
import { publicUrl as urlAt } from '#server/features/files/public-url.ts';
import { updateObjects } from '#server/features/files/update/update-objects.ts';
import { CdnUnavailable } from '#server/domain/ports/cdn.ts';
import { MetadataFailed, MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { openTestStores } from '#test/support/stores.ts';
import { store } from '../stored.ts';

const nothing: ObjectChanges = {
  isPrivate: undefined,
  expire: undefined,
  cacheControl: undefined,
  disposition: undefined,
  metadata: undefined,
  originalName: undefined,
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
  /** Changes two files. The first transactions fail with these errors: that of both, and those of each. */
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
    await expect(update(away)).rejects.toBe(away);
  });

  it('returns UPDATE_FAILED for a file, if others were changed or it is broken', async () => {
    const failed = { ok: false, code: 'UPDATE_FAILED' };
    const broken = new MetadataFailed('broken', undefined);
    expect(await update(broken, broken)).toMatchObject([failed, { ok: true }]);
    expect(await update(broken, broken, away)).toMatchObject([failed, failed]);
  });
});

describe('updateObjects() of several files', () => {
  const hash = 'abcdefghijklmnop';
  const suffix = { hash: null, mark: null, extension: 'png' };
  /** Files whose changes lead to the same addresses, and from one to another. */
  const files = spaces.flatMap((space) => [
    { space, key: 'a.png', suffix },
    { space, key: 'a-ex7.png', suffix: { ...suffix, mark: 'ex7' } },
    { space, key: 'a-ex7-ex7.png', suffix: { ...suffix, mark: 'ex7' } },
    { space, key: `a_${hash}.png`, suffix: { ...suffix, hash } },
    { space, key: `a_${hash}-ex7.png`, suffix: { ...suffix, hash, mark: 'ex7' } },
    // Its name looks as if it had a mark.
    { space, key: 'b-ex7.png', suffix },
    { space, key: 'b.png', suffix },
    { space, key: 'b-ex7-ex7.png', suffix: { ...suffix, mark: 'ex7' } },
  ]);
  const stored = fc.subarray([...files.keys()], { minLength: 6 });
  const named = fc.array(fc.nat(files.length - 1), { minLength: 2, maxLength: 20 });
  const changing = fc.record({
    isPrivate: fc.constantFrom(undefined, true, false),
    expire: fc.constantFrom(undefined, null, 7),
    disposition: fc.constantFrom(undefined, 'attachment' as const),
  });

  interface Given {
    readonly plan: 'none' | 'pro';
    /** Places in {@link files}. */
    readonly stored: readonly number[];
    readonly named: readonly number[];
    readonly changes: Partial<ObjectChanges>;
  }

  /** Changes files in requests of this many. Returns all that follows, without what is random in it. */
  async function outcomesOf({ plan, stored, named, changes }: Given, atOnce: number) {
    const stores = await openTestStores();
    const account = await stores.account({ plan });
    const accountId = account.id;
    const publicHost = 'https://public.example';
    const publicUrl = (object: ObjectAddress) => urlAt(publicHost, object);
    const noting = { publicHost, ids: stores.ids, callerMs: 0, onNoted: () => {} };
    const metadata = notingPublicChanges(stores.metadata, noting);
    const deps = { ...stores, metadata, cdn: { purge: async () => {} }, publicUrl };
    for (const at of stored) await store(stores, { accountId, ...files[at]!, originalName: String(at) });
    const outcomes = [];
    for (let at = 0; at < named.length; at += atOnce) {
      const addresses = named.slice(at, at + atOnce).map((one) => ({ accountId, ...files[one]! }));
      const command = { account, addresses, changes: { ...nothing, ...changes }, actor: systemActor };
      outcomes.push(...(await updateObjects(deps, command)));
    }
    const textOf = (value: unknown) =>
      JSON.stringify(value)
        .replaceAll(accountId, 'account')
        .replaceAll(/_(?!abcdefghijklmnop)\w{16}/g, '_#');
    const { objects, activity, events, purges } = stores.metadata.read;
    const scan = { accountId, prefix: '', hasDetails: true, limit: 50 };
    const rows = (await Promise.all(spaces.map((space) => objects.scan({ ...scan, space })))).flat();
    const told = await activity.scan({ accountId, limit: 50 });
    const result = {
      outcomes: outcomes.map((one) => textOf('object' in one ? [formatObjectId(one.object), one.isMoved] : one.code)),
      rows: rows.map((one) => textOf([formatObjectId(one), one.details?.originalName, one.expiresAt])).toSorted(),
      // The order of different files is not told.
      activity: told.map(({ object, details }) => textOf([object, details])).toSorted(),
      events: (await events.scan({ accountId, after: 0, limit: 100 }))
        .map((one) => textOf([one.type, one.key]))
        .toSorted(),
      purges: new Set((await purges.page('', 100)).map(({ url }) => textOf(url))),
    };
    await stores.close();
    return result;
  }

  it('does what requests for one file after another do', async () => {
    const given = fc
      .record({ plan: fc.constantFrom('none' as const, 'pro' as const), stored, named, changes: changing })
      .filter(({ plan, changes: { isPrivate, expire, disposition } }) =>
        // A plan without expiry refuses the whole request.
        plan === 'none'
          ? expire === undefined && (isPrivate ?? disposition) !== undefined
          : [isPrivate, expire, disposition].some((change) => change !== undefined),
      );
    await fc.assert(
      fc.asyncProperty(given, async (one) => {
        expect(await outcomesOf(one, 50)).toEqual(await outcomesOf(one, 1));
      }),
      { numRuns: 40 },
    );
  });
});
