import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { formatObjectId, spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { updateObjects } from '#server/features/files/update/update-objects.ts';
import type { FolderChoices, FolderJob } from '#server/features/folders/folder-job.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { runFolderStep } from '#server/features/folders/run-folder-job.ts';
import { store } from '#test/features/files/stored.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

/** Runs a job to its end. Returns it. */
async function run(
  stores: TestStores,
  {
    accountId,
    ...given
  }: Pick<FolderJob, 'accountId' | 'action' | 'destination'> & { choices?: Partial<FolderChoices> },
): Promise<FolderJob> {
  let job: FolderJob = {
    ...{ id: stores.ids.opaqueId(), accountId, prefix: 'from' as Prefix, isDryRun: false, state: 'running' },
    ...{ place: null, total: 0, done: 0, failed: 0, createdAt: stores.clock.now(), endedAt: null, dueAt: 1 },
    ...given,
    choices: { overwrite: false, actor: systemActor, ...given.choices },
  };
  stores.clock.advance(1);
  await stores.metadata.atomically((tx) => tx.folderJobs.put(job), { account: accountId });
  const deps = { ...stores, cdn: { purge: async () => {} }, publicUrl: () => null };
  const sizes = new SetSize();
  while (job.endedAt === null) job = (await runFolderStep(deps, job, sizes))!;
  return job;
}

describe('a job that copies', () => {
  it.each([
    // The files have 3 bytes each.
    {
      quotaBytes: 47,
      copies: 5,
      told: [
        { percent: 80, usedBytes: 39 },
        { percent: 95, usedBytes: 45 },
      ],
    },
    {
      quotaBytes: 60,
      copies: 10,
      told: [80, 95, 100].map((percent) => ({ percent, usedBytes: (percent * 60) / 100 })),
    },
    { quotaBytes: 1000, copies: 10, told: [] },
    { quotaBytes: 1000, reservedBytes: 955, copies: 5, told: [] },
  ])(
    'fills a quota of $quotaBytes bytes exactly, and tells each threshold: $copies of 10',
    async ({ quotaBytes, reservedBytes = 0, copies, told }) => {
      const stores = await openTestStores();
      const { id: accountId } = await stores.account({ quotaBytes });
      for (let at = 0; at < 10; at++) await store(stores, { accountId, key: `from/${at}` });
      await stores.metadata.atomically((tx) => tx.accounts.reserve(accountId, reservedBytes, quotaBytes));
      const { id, done, failed } = await run(stores, { accountId, action: 'copy', destination: 'to' as Prefix });
      expect([done, failed]).toEqual([copies, 10 - copies]);
      const { accounts, events, folderJobs, objects } = stores.metadata.read;
      const used = { usedBytes: 30 + 3 * copies, usedObjects: 10 + copies };
      expect(await accounts.find(accountId)).toMatchObject(used);
      const copied = await objects.scan({ accountId, space: 'public', prefix: 'to/', limit: 20 });
      expect(copied.map(({ key }) => key)).toEqual(Array.from({ length: copies }, (_, at) => `to/${at}`));
      const codes = (await folderJobs.failuresOf(id)).map(({ code }) => code);
      expect(codes).toEqual(Array(10 - copies).fill('STORAGE_QUOTA_EXCEEDED'));
      const reached = (await events.scan({ accountId, after: 0, limit: 50 })).filter(
        ({ type }) => type === 'quota.reached',
      );
      expect(reached.map(({ data }) => data)).toEqual(told.map((one) => ({ ...one, quotaBytes })));
    },
  );
});

describe('a job that updates', () => {
  const hash = 'abcdefghijklmnop';
  const suffix = { hash: null, mark: null, extension: 'png' };
  const files = spaces.flatMap((space) => [
    { space, key: 'from/a.png', suffix },
    { space, key: 'from/a-ex7.png', suffix: { ...suffix, mark: 'ex7' } },
    { space, key: `from/a_${hash}.png`, suffix: { ...suffix, hash } },
    { space, key: `from/a_${hash}-ex7.png`, suffix: { ...suffix, hash, mark: 'ex7' } },
    { space, key: 'from/a-ex7-ex7.png', suffix: { ...suffix, mark: 'ex7' } },
    { space, key: 'from/b-ex7.png', suffix },
    { space, key: 'from/b.png', suffix },
  ]);

  /** Changes all files below the folder, by a job or one after another. Returns the rows, without what is random. */
  async function rowsAfter(
    stored: readonly number[],
    change: Pick<FolderChoices, 'isPrivate' | 'expire'>,
    isJob: boolean,
  ) {
    const stores = await openTestStores();
    const account = await stores.account({ plan: 'pro' });
    const accountId = account.id;
    for (const at of stored) await store(stores, { accountId, ...files[at]!, originalName: String(at) });
    const { objects } = stores.metadata.read;
    const scan = async () => {
      const all = spaces.map((space) => objects.scan({ accountId, space, prefix: '', hasDetails: true, limit: 50 }));
      return (await Promise.all(all)).flat();
    };
    const before = await scan();
    const startedAt = stores.clock.now();
    let done = 0;
    const changeOne = async (address: ObjectAddress) => {
      const found = await objects.find(address);
      if (!found || found.createdAt > startedAt) return;
      const changes = { cacheControl: undefined, disposition: undefined, metadata: undefined, originalName: undefined };
      const [outcome] = await updateObjects(
        { ...stores, cdn: { purge: async () => {} }, publicUrl: () => null },
        {
          ...{ account, addresses: [address], actor: systemActor },
          changes: { ...changes, isPrivate: change.isPrivate, expire: change.expire },
        },
      );
      if (outcome!.ok) done++;
    };
    if (isJob) ({ done } = await run(stores, { accountId, action: 'update', destination: null, choices: change }));
    else {
      stores.clock.advance(1);
      for (const file of before) await changeOne(file);
    }
    const rows = (await scan()).map((one) => {
      const id = formatObjectId(one).replace(accountId, 'account');
      return [id.replaceAll(/_(?!abcdefghijklmnop)\w{16}/g, '_#'), one.details?.originalName, one.expiresAt].join(' ');
    });
    const told = (await stores.metadata.read.activity.scan({ accountId, limit: 100 })).length;
    await stores.close();
    return { rows: rows.toSorted(), done, told };
  }

  it('does what requests for one file after another do', async () => {
    const change = fc.record({
      isPrivate: fc.constantFrom(undefined, true, false),
      expire: fc.constantFrom(null, 7),
    });
    await fc.assert(
      fc.asyncProperty(fc.subarray([...files.keys()], { minLength: 4 }), change, async (stored, changes) => {
        expect(await rowsAfter(stored, changes, true)).toEqual(await rowsAfter(stored, changes, false));
      }),
      { numRuns: 25 },
    );
  });
});
