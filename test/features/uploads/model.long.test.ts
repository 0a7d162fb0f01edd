import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { abortIdleUploads } from '#server/features/uploads/abort-idle-uploads.ts';
import { forgetClosedUploads } from '#server/features/uploads/forget-closed-uploads.ts';
import { listOpenUploads } from '#server/features/uploads/list-open-uploads.ts';
import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import { blobMarkers } from '#server/feature-parts.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { blobsOfFiles } from '#test/support/stored.ts';
import { openTestStores } from '#test/support/stores.ts';
import { Uploads } from './uploads.ts';

const hourMs = 3_600_000;
const full = 5_242_880;

/** An upload as the description defines it, without its storage. */
interface Model {
  readonly handle: string;
  state: 'open' | 'completed' | 'aborted';
  readonly parts: Map<number, Buffer>;
  activeAt: number;
  closedAt: number;
  /** Whether its time is over while its bytes are not free yet. */
  isIdle: boolean;
  answer: string | undefined;
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      part: fc.integer({ min: 1, max: 3 }),
      size: fc.constantFrom(300, 600, 20_000, full, full),
      fill: fc.nat(255),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('complete' as const),
      checksum: fc.constantFrom('none', 'right', 'wrong'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('abort' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('jobs' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('start' as const) }) },
  // A restart empties the memory.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const ordered = ({ parts }: Model) => [...parts].sort(([a], [b]) => a - b);
const bytesOf = (model: Model) => Buffer.concat(ordered(model).map(([, bytes]) => bytes));

/** Returns the code that refuses a completion, if any. */
function refusalOf(model: Model): string | undefined {
  const parts = ordered(model);
  if (parts.length === 0) return 'NO_CHUNKS_UPLOADED';
  if (parts.some(([number], at) => number !== at + 1)) return 'INVALID_CHUNK_PART';
  if (parts.slice(0, -1).some(([, bytes]) => bytes.length < full)) return 'CHUNK_TOO_SMALL';
  return bytesOf(model).length < 512 ? 'FILE_TOO_SMALL' : undefined;
}

async function outcome<T>(work: Promise<T>): Promise<{ code?: string; value?: T }> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code };
    throw error;
  }
}

/** Runs the steps on the service and on the model. */
async function run(steps: readonly Step[]): Promise<void> {
  const stores = await openTestStores();
  const account = await stores.account();
  let uploads = new Uploads(stores, account);
  const now = () => stores.clock.now();
  const begin = async (): Promise<Model> => ({
    handle: await uploads.start({ securityHash: true }),
    state: 'open',
    parts: new Map(),
    activeAt: now(),
    closedAt: 0,
    isIdle: false,
    answer: undefined,
  });
  let model = await begin();
  let files = 0;
  let usedBytes = 0;
  /** Bytes of idle uploads. They are held until the job runs or somebody aborts the upload. */
  let idleBytes = 0;

  const settle = () => {
    if (model.state !== 'open' || now() - model.activeAt < 24 * hourMs) return;
    idleBytes += bytesOf(model).length;
    Object.assign(model, { state: 'aborted', closedAt: model.activeAt + 24 * hourMs, isIdle: true });
  };
  const close = (state: Model['state']) => Object.assign(model, { state, closedAt: now() });
  const isKept = () => now() - model.closedAt < 24 * hourMs;

  for (const one of steps) {
    settle();
    switch (one.kind) {
      case 'put': {
        const bytes = Buffer.alloc(one.size, one.fill);
        const { code } = await outcome(uploads.put(model.handle, one.part, bytes));
        expect(code).toBe(model.state === 'open' ? undefined : 'UPLOAD_NOT_FOUND');
        if (model.state === 'open') Object.assign(model, { activeAt: now(), parts: model.parts.set(one.part, bytes) });
        break;
      }
      case 'complete': {
        const whole = createHash('sha256').update(bytesOf(model)).digest('hex');
        const { code, value } = await outcome(
          uploads.complete(model.handle, { none: undefined, right: whole, wrong: '0'.repeat(64) }[one.checksum]),
        );
        if (model.state === 'completed' && isKept() && one.checksum === 'wrong') expect(code).toBe('CHECKSUM_MISMATCH');
        else if (model.state === 'completed' && isKept()) expect(JSON.stringify(value?.outcome)).toBe(model.answer);
        else if (model.state !== 'open') expect(code).toBe('UPLOAD_NOT_FOUND');
        else {
          const expected = refusalOf(model) ?? (one.checksum === 'wrong' ? 'CHECKSUM_MISMATCH' : undefined);
          expect(code).toBe(expected);
          if (expected !== undefined) break;
          expect(value!.outcome).toEqual({
            sizeBytes: bytesOf(model).length,
            parts: model.parts.size,
            sha256: whole,
            expiresAt: null,
            etag: expect.stringMatching(/^[0-9a-f]{32}-\d+$/),
            versionId: expect.any(String),
            isReplaced: false,
          });
          Object.assign(close('completed'), { answer: JSON.stringify(value!.outcome) });
          files++;
          usedBytes += bytesOf(model).length;
        }
        break;
      }
      case 'abort': {
        const { code } = await outcome(uploads.abort(model.handle));
        expect(code).toBe(
          model.state === 'open' || (model.state === 'aborted' && (model.isIdle || isKept()))
            ? undefined
            : 'UPLOAD_NOT_FOUND',
        );
        if (model.isIdle) idleBytes -= bytesOf(model).length;
        if (model.state === 'open' || model.isIdle) Object.assign(close('aborted'), { isIdle: false });
        break;
      }
      case 'wait':
        stores.clock.advance(one.hours * hourMs);
        break;
      case 'jobs':
        await abortIdleUploads(stores, now());
        await forgetClosedUploads(stores, now());
        idleBytes = 0;
        // The job closes idle uploads only now, and they are remembered from now on.
        if (model.isIdle) Object.assign(close('aborted'), { isIdle: false });
        break;
      case 'start':
        if (model.state !== 'open') model = await begin();
        break;
      case 'restart':
        uploads = new Uploads(stores, account);
    }
    settle();
    const isOpen = model.state === 'open';
    const status = await outcome(uploads.status(model.handle));
    if (isOpen)
      expect(status.value).toMatchObject({
        sizeBytes: bytesOf(model).length,
        parts: ordered(model).map(([part]) => ({ part })),
      });
    else expect(status.code).toBe('UPLOAD_NOT_FOUND');
    expect(await listOpenUploads(stores, await uploads.caller())).toHaveLength(isOpen ? 1 : 0);
    const heldBytes = (isOpen ? bytesOf(model).length : 0) + idleBytes;
    expect(await stores.metadata.read.accounts.find(account.id)).toMatchObject({
      reservedBytes: heldBytes,
      usedBytes,
      usedObjects: files,
    });
  }
  await reapBlobs({ ...stores, blobMarkers });
  const rows = await stores.stored(
    `SELECT blob_id FROM ${blobsOfFiles} WHERE inline IS NULL
     UNION ALL SELECT blob_id FROM chunked_parts WHERE inline IS NULL`,
  );
  expect((await Array.fromAsync(stores.blobs.ids(), ({ blobId }) => blobId)).sort()).toEqual(
    rows.map((row) => String(row.blob_id)).sort(),
  );
  await stores.close();
}

describe('chunked uploads', () => {
  it('do what the description says, for any steps in any order', { timeout: 600_000 }, async () => {
    const numRuns = process.env.CUBBY_TEST_LONG === '1' ? 500 : 15;
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), run), { numRuns });
  });
});
