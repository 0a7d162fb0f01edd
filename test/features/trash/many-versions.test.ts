import fc from 'fast-check';
import { expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Refusal } from '#server/domain/refusal.ts';
import { deleteObjects } from '#server/features/files/deletion/delete-objects.ts';
import { purgeVersions } from '#server/features/trash/purge-versions.ts';
import { restoreVersions } from '#server/features/trash/restore-versions.ts';
import { ruleWith, saveRules } from '#test/features/rules/rules.ts';
import { store } from '#test/features/files/stored.ts';
import { openTestStores } from '#test/support/stores.ts';

/** How often each file was uploaded and deleted. The last upload of some is still there. */
const kept = [
  { space: 'public', key: 'few/a', times: 2, isThere: true },
  { space: 'public', key: 'few/b', times: 2, isThere: false },
  { space: 'public', key: 'many/c', times: 4, isThere: true },
  { space: 'private', key: 'many/c', times: 3, isThere: false },
  { space: 'public', key: 'many/d', times: 1, isThere: true },
] as const;
const uploads = kept.flatMap(({ times, isThere }) => [...Array(times).fill('trash'), ...(isThere ? ['file'] : [])]);
const inTrash = [...uploads.keys()].filter((at) => uploads[at] === 'trash');
/** Those of files that are there, and one that is unknown. */
const missing = [...uploads.keys(), uploads.length].filter((at) => uploads[at] !== 'trash');

interface Given {
  readonly action: 'restore' | 'purge';
  readonly mayReplace: boolean;
  /** The versions of the request, as numbers. */
  readonly named: readonly number[];
}

/** Restores or purges versions in requests of this many. Returns all that follows, without what is random in it. */
async function outcomesOf({ action, mayReplace, named }: Given, atOnce: number) {
  const stores = await openTestStores();
  const { id: accountId } = await stores.account({ plan: 'pro' });
  const rules = [
    ruleWith({ prefix: 'few/', keepDeletedDays: 30, keepVersions: 2 }),
    ruleWith({ prefix: 'many/', keepDeletedDays: 30 }),
  ];
  await saveRules(stores, accountId, ...rules);
  const ids: string[] = [];
  for (const { times, isThere, ...file } of kept)
    for (let time = 0; time < times + (isThere ? 1 : 0); time++) {
      const address = { accountId, ...file };
      const { versionId } = await store(stores, { ...address, originalName: String(ids.length) });
      ids.push(versionId);
      if (time < times) await deleteObjects(stores, { accountId, addresses: [address], actor: systemActor });
      stores.clock.advance(1);
    }
  const outcomes: string[] = [];
  for (let at = 0; at < named.length; at += atOnce) {
    const versionIds = named.slice(at, at + atOnce).map((one) => ids[one] ?? `unknown${one}`);
    const request = { accountId, prefixes: null, versionIds, mayReplace, mayPurgeKept: false, actor: systemActor };
    const work = (action === 'restore' ? restoreVersions : purgeVersions)(stores, request);
    // A request for one version is refused as a whole.
    const codes = work.then(
      (done) => done.map((one) => ('code' in one ? one.code : 'done')),
      (error: Refusal) => [error.code],
    );
    outcomes.push(...(await codes));
  }
  const { objects, trash, activity, events, accounts } = stores.metadata.read;
  const scan = { accountId, prefix: '', hasDetails: true, limit: 50 };
  const rows = await Promise.all((['public', 'private'] as const).map((space) => objects.scan({ ...scan, space })));
  const versions = await Promise.all(
    (['public', 'private'] as const).map((space) => trash.scan({ ...scan, space, behind: undefined })),
  );
  const told = await activity.scan({ accountId, limit: 200 });
  const account = await accounts.find(accountId);
  const result = {
    outcomes,
    rows: rows.flat().map((one) => [formatObjectId(one).replace(accountId, ''), one.details?.originalName]),
    trash: versions.flat().map((one) => [one.key, one.space, one.originalName, one.reason]),
    usage: [account?.usedBytes, account?.usedObjects],
    // The order of different files is not told.
    activity: told
      .map(({ object, type, details }) => JSON.stringify([object?.key, object?.space, type, details.replaced]))
      .toSorted(),
    events: (await events.scan({ accountId, after: 0, limit: 200 })).map((one) => `${one.type} ${one.key}`).toSorted(),
  };
  await stores.close();
  return result;
}

it('a request for several versions does what requests for one after another do', async () => {
  const given = fc.record({
    action: fc.constantFrom('restore' as const, 'purge' as const),
    mayReplace: fc.boolean(),
    // If one is missing, all come one after another.
    named: fc
      .tuple(
        fc.shuffledSubarray(inTrash, { minLength: 2 }),
        fc.oneof(fc.constant([]), fc.shuffledSubarray(missing)),
        fc.nat(inTrash.length),
      )
      .map(([known, others, at]) => [...known.slice(0, at), ...others, ...known.slice(at)]),
  });
  await fc.assert(
    fc.asyncProperty(given, async (one) => {
      expect(await outcomesOf(one, 50)).toEqual(await outcomesOf(one, 1));
    }),
    { numRuns: 25 },
  );
});
