import { describe, expect, it } from 'vitest';

import {
  stateAfter,
  stateAt,
  transitions,
  type ChunkedUpload,
  type UploadEvent,
  type UploadState,
} from '#server/features/uploads/chunked-upload.ts';
import { quotaBytesOf } from '#server/domain/plan.ts';
import { someBytes } from '#test/support/files.ts';
import { openTestStores } from '#test/support/stores.ts';
import { Uploads } from './uploads.ts';

const dayMs = 86_400_000;

const upload: ChunkedUpload = {
  id: 'a',
  accountId: '1',
  tokenId: null,
  listed: null,
  serial: null,
  sentTo: null,
  writer: null,
  declaredBytes: null,
  originalName: null,
  state: 'open',
  startedAt: 0,
  activeAt: 0,
  closedAt: null,
  revision: 0,
  storedBytes: 0,
  outcome: null,
  resolved: {
    address: { accountId: '1', space: 'public', key: 'a' },
    suffix: { hash: null, mark: null, extension: '' },
    expire: null,
    mayReplace: true,
    disposition: null,
    cacheControl: null,
    metadata: {},
    cap: null,
  },
};

async function open() {
  const stores = await openTestStores();
  const account = await stores.account();
  const uploads = new Uploads(stores, account);
  const handle = await uploads.start();
  return { stores, account, uploads, handle };
}

/** Each title is a row of the table in the description, in its words. */
describe('a chunked upload', () => {
  it('(none) | Chunked Init | limits allow (32 open per account) → open', async () => {
    const { uploads, handle } = await open();
    expect(await uploads.status(handle)).toMatchObject({ parts: [], nextPart: 1, sizeBytes: 0 });
  });

  it('open | Chunked Part | part 5 to 32 MB → open, part stored; can be resent', async () => {
    const { uploads, handle } = await open();
    await uploads.put(handle, 1, someBytes(700));
    await uploads.put(handle, 1, someBytes(900));
    expect(await uploads.status(handle)).toMatchObject({
      parts: [{ part: 1, blob: { sizeBytes: 900 } }],
      nextPart: 2,
      sizeBytes: 900,
    });
  });

  it('open | Chunked Complete | parts present, quota allows → completed, file exists at the id', async () => {
    const { stores, uploads, handle } = await open();
    const { address } = await uploads.status(handle);
    await uploads.put(handle, 1, someBytes(700));
    await uploads.complete(handle);
    expect(await stores.metadata.read.objects.find(address)).toMatchObject({ sizeBytes: 700 });
  });

  it('open | Chunked Complete | quota is filled → open, STORAGE_QUOTA_EXCEEDED; free space and retry', async () => {
    const { stores, account, uploads, handle } = await open();
    await uploads.put(handle, 1, someBytes(700));
    await stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 699));
    await expect(uploads.complete(handle)).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    expect((await uploads.status(handle)).sizeBytes).toBe(700);
    expect(await uploads.reservedBytes()).toBe(700);
    await stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, quotaBytesOf(account)));
    await uploads.complete(handle);
    expect(await uploads.reservedBytes()).toBe(0);
  });

  it('open | Chunked Abort | any time → aborted, stored parts freed; idempotent', async () => {
    const { stores, account, uploads, handle } = await open();
    await uploads.put(handle, 1, someBytes(20_000));
    await uploads.abort(handle);
    await uploads.abort(handle);
    expect(await uploads.reservedBytes()).toBe(0);
    expect(
      (await stores.metadata.read.activity.scan({ accountId: account.id, limit: 9 })).map(({ type }) => type),
    ).toEqual(['chunked.aborted', 'chunked.started']);
    expect(await stores.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toHaveLength(1);
  });

  it('open | idle 24 hours | automatic → aborted, parts freed', async () => {
    const { stores, uploads, handle } = await open();
    stores.clock.advance(dayMs - 1);
    await uploads.put(handle, 1, someBytes(700));
    stores.clock.advance(dayMs - 1);
    await uploads.status(handle);
    stores.clock.advance(1);
    await expect(uploads.status(handle)).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
  });

  it.each([dayMs, 5 * dayMs])(
    'open | Chunked Abort | %i ms idle, before the job has run → aborted, stored parts freed',
    async (idleMs) => {
      const { stores, uploads, handle } = await open();
      await uploads.put(handle, 1, someBytes(20_000));
      stores.clock.advance(idleMs);
      await uploads.abort(handle);
      await uploads.abort(handle);
      expect(await uploads.reservedBytes()).toBe(0);
      expect(await stores.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toHaveLength(1);
      expect(await stores.metadata.read.chunkedUploads.find(handle.split('.')[0]!)).toMatchObject({
        state: 'aborted',
        storedBytes: 0,
      });
    },
  );

  it.each(['completed', 'aborted', 'expired'])(
    '%s | Chunked Status → (unchanged), answers 404 UPLOAD_NOT_FOUND',
    async (state) => {
      const { stores, uploads, handle } = await open();
      await uploads.put(handle, 1, someBytes(700));
      if (state === 'completed') await uploads.complete(handle);
      if (state === 'aborted') await uploads.abort(handle);
      if (state === 'expired') stores.clock.advance(dayMs);
      await expect(uploads.status(handle)).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
    },
  );
});

describe('stateAfter()', () => {
  const events: UploadEvent[] = ['part', 'status', 'complete', 'abort', 'idle'];
  const states: UploadState[] = ['open', 'completed', 'aborted'];
  const cases = states.flatMap((state) =>
    events.map((event) => [state, event, transitions[state][event] ?? 'UPLOAD_NOT_FOUND'] as const),
  );

  it.each(cases)('for an upload that is %s, the event %s gives %s', (state, event, expected) => {
    const one = { ...upload, state, activeAt: 1000, closedAt: state === 'open' ? null : 1000 };
    if (expected === 'UPLOAD_NOT_FOUND') expect(() => stateAfter(one, event, 2000)).toThrow(expected);
    else expect(stateAfter(one, event, 2000)).toBe(expected);
  });

  it('throws UPLOAD_NOT_FOUND 24 hours after an upload was closed or idle, and for a missing one', () => {
    for (const closed of [
      { ...upload, state: 'completed', closedAt: 1000 },
      { ...upload, state: 'open', activeAt: 1000 - dayMs },
    ] as const) {
      expect(stateAfter(closed, closed.state === 'completed' ? 'complete' : 'abort', 1000 + dayMs - 1)).toBe(
        closed.state === 'completed' ? 'completed' : 'aborted',
      );
      for (const event of events) expect(() => stateAfter(closed, event, 1000 + dayMs)).toThrow('UPLOAD_NOT_FOUND');
    }
    expect(() => stateAfter(undefined, 'abort', 0)).toThrow('UPLOAD_NOT_FOUND');
  });
});

describe('stateAt()', () => {
  it.each([
    ['open', dayMs - 1, 'open'],
    ['open', dayMs, 'aborted'],
    ['completed', dayMs, 'completed'],
    ['aborted', 0, 'aborted'],
  ] as const)('for an upload that is %s, %i ms after its last part, returns %s', (state, idleMs, expected) => {
    expect(stateAt({ state, activeAt: 5 }, 5 + idleMs)).toBe(expected);
  });
});
