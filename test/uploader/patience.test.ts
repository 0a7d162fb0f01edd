import { uploadFile, type UploadOptions } from 'cubby-server/uploader';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import { fileOf, partBytes } from './crashed-upload.ts';
import { startFakeServer, type FakeServer } from './fake-server.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const inParts = (fake: Pick<FakeServer, 'baseUrl'>, options: Partial<UploadOptions> = {}): UploadOptions => ({
  baseUrl: fake.baseUrl,
  credential: 'cbk_key',
  singleUpToBytes: 0,
  chunkSizeBytes: partBytes,
  retry: { firstWaitMs: 5 },
  ...options,
});
const nowhere = { baseUrl: 'http://127.0.0.1:9' };

describe('a server that never answers', () => {
  const never = () => new Promise<never>(() => {});

  it('delays cancel() only for a limited time while the start waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const upload = uploadFile(fileOf(someBytes()), inParts(nowhere, { fetch: never }));
    await vi.advanceTimersByTimeAsync(100);
    const cancelling = upload.cancel();
    const refused = expect(upload.done).rejects.toMatchObject({ code: 'UPLOAD_CANCELLED' });
    await vi.advanceTimersByTimeAsync(5_000);
    await cancelling;
    await refused;
  });

  it('makes the start fail in the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const upload = uploadFile(fileOf(someBytes()), inParts(nowhere, { fetch: never, retry: { tries: 1 } }));
    const refused = expect(upload.done).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      retryable: true,
      message: expect.stringContaining('within 60 seconds'),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
  });

  it.each([0, Infinity])(
    'is like a credential that never comes, which cancel() ends too (singleUpToBytes: %d)',
    async (singleUpToBytes) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const upload = uploadFile(fileOf(someBytes()), inParts(nowhere, { credential: never, singleUpToBytes }));
      await vi.advanceTimersByTimeAsync(100);
      const cancelling = upload.cancel();
      const refused = expect(upload.done).rejects.toMatchObject({ code: 'UPLOAD_CANCELLED' });
      await vi.advanceTimersByTimeAsync(5_000);
      await cancelling;
      await refused;
    },
  );
});

describe('a token with one use', () => {
  it('is replaced by another one when the response to the start is lost', async () => {
    const fake = await startFakeServer();
    fake.fault = ({ operation, credential }) => {
      if (operation !== 'start' || credential !== 'cbup_1') return undefined;
      return fake.count('start') === 1 ? { cut: 'late' } : { status: 401, code: 'UPLOAD_TOKEN_USED' };
    };
    const given = vi.fn((refused?: string) => (refused === undefined ? 'cbup_1' : 'cbup_2'));
    const bytes = someBytes(2 * partBytes);
    expect(await uploadFile(fileOf(bytes), inParts(fake, { credential: given })).done).toMatchObject({
      sha256: sha256(bytes),
    });
    expect(given.mock.calls).toEqual([[undefined], ['cbup_1']]);
  });
});

describe('callbacks that throw', () => {
  it.each([0, Infinity])(
    'do not affect the upload, and are reported (singleUpToBytes: %d)',
    async (singleUpToBytes) => {
      const reported: unknown[] = [];
      vi.stubGlobal('reportError', (error: unknown) => void reported.push(error));
      const fake = await startFakeServer();
      const bytes = someBytes();
      const fail = () => {
        throw new Error('a mistake of the page');
      };
      const upload = uploadFile(fileOf(bytes), inParts(fake, { singleUpToBytes, onState: fail, onProgress: fail }));
      expect(await upload.done).toMatchObject({ sha256: sha256(bytes) });
      expect([upload.state, fake.count('part') + fake.count('upload')]).toEqual(['completed', 1]);
      expect(new Set(reported.map(String))).toEqual(new Set(['Error: a mistake of the page']));
      expect(reported.length).toBeGreaterThan(1);
    },
  );
});

describe('a file that cannot be uploaded', () => {
  it.each([
    [0, 'FILE_TOO_SMALL', 'under 512 bytes'],
    [511, 'FILE_TOO_SMALL', 'under 512 bytes'],
    [10_737_418_241, 'FILE_TOO_LARGE', 'over 10 GiB'],
  ])('of %i bytes is refused before anything is sent', async (sizeBytes, code, words) => {
    const file = Object.defineProperty(fileOf(someBytes(10)), 'size', { value: sizeBytes });
    const credential = vi.fn(() => 'cbk_key');
    const upload = uploadFile(file, inParts(nowhere, { credential }));
    await expect(upload.done).rejects.toMatchObject({
      name: 'UploadError',
      code,
      retryable: false,
      message: expect.stringContaining(words),
    });
    expect(upload.state).toBe('failed');
    expect(credential).not.toHaveBeenCalled();
  });
});

describe('a record store that never responds', () => {
  it('is called once and then ignored, both IndexedDB and a store of the caller', async () => {
    const open = vi.fn(() => ({}));
    vi.stubGlobal('indexedDB', { open });
    const silent = vi.fn(() => new Promise<never>(() => {}));
    const bytes = someBytes(2 * partBytes);
    const without = async (options: Partial<UploadOptions>) => {
      const fake = await startFakeServer();
      expect(await uploadFile(fileOf(bytes), inParts(fake, options)).done).toMatchObject({ sha256: sha256(bytes) });
    };
    // In parallel, because each waits for three seconds.
    await Promise.all([without({}), without({ resumeStore: { get: silent, set: silent, delete: silent } })]);
    expect([open, silent].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });
});
