import {
  UploadError,
  uploadFile,
  type ResumeRecord,
  type UploadOptions,
  type UploadProgress,
} from 'cubby-server/uploader';
import { describe, expect, it } from 'vitest';

import { eventually } from '#test/support/eventually.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { startFakeServer, type FakeServer, type Fault } from './fake-server.ts';

const partBytes = 65_536;
const fileOf = (bytes: Buffer, name = 'film.mp4') =>
  new File([bytes as Buffer<ArrayBuffer>], name, { type: 'video/mp4', lastModified: 1_700_000_000_000 });

/** Returns options for parts of 5 MiB and short waits between tries. */
function inParts(fake: FakeServer, options: Partial<UploadOptions> = {}): UploadOptions {
  return {
    baseUrl: fake.baseUrl,
    credential: 'cbk_key',
    singleUpToBytes: 0,
    chunkSizeBytes: partBytes,
    retry: { firstWaitMs: 5, longestWaitMs: 20 },
    ...options,
  };
}

/** Returns a fault for the first `count` requests of an operation. */
const first = (count: number, operation: string, fault: Fault) => {
  let left = count;
  return (request: { readonly operation: string }) =>
    request.operation === operation && left-- > 0 ? fault : undefined;
};

const until = (condition: () => boolean) => eventually(() => expect(condition()).toBe(true));

async function failureOf(done: Promise<unknown>): Promise<UploadError> {
  const error = await done.then(
    () => undefined,
    (refused: unknown) => refused,
  );
  expect(error).toBeInstanceOf(UploadError);
  return error as UploadError;
}

describe('uploadFile()', () => {
  it('sends a small file in one request, with its checksum and a name made of its own', async () => {
    const fake = await startFakeServer();
    const bytes = someBytes(20_000);
    const progress: UploadProgress[] = [];
    const upload = uploadFile(fileOf(bytes, 'Été 2026.mp4'), {
      baseUrl: fake.baseUrl,
      credential: 'cbk_key',
      onProgress: (now) => void progress.push(now),
    });
    const uploaded = await upload.done;
    expect(uploaded).toEqual({
      id: 'pub/1/Ete-2026-356eb936',
      url: 'http://public.invalid/Ete-2026-356eb936',
      isPrivate: false,
      sizeBytes: bytes.length,
      sha256: sha256(bytes),
    });
    expect(fake.requests).toHaveLength(1);
    expect(fake.requests[0]).toMatchObject({
      credential: 'cbk_key',
      query: { name: 'Ete-2026-356eb936', checksum_sha256: sha256(bytes) },
    });
    expect(fake.files.get(uploaded.id)!.equals(bytes)).toBe(true);
    expect(progress.at(-1)).toEqual({ sentBytes: bytes.length, totalBytes: bytes.length, resumedBytes: 0 });
    expect(upload.state).toBe('completed');
  });

  it('sends a large file in parts, six at a time, each with its checksum', async () => {
    const fake = await startFakeServer();
    fake.fault = ({ operation }) => (operation === 'part' ? { delayMs: 300 } : undefined);
    const bytes = someBytes(8 * partBytes + 77);
    const query = { name: 'film', prefix: 'films', private: true, expire: '30d' } as const;
    const uploaded = await uploadFile(fileOf(bytes), inParts(fake, { query })).done;
    expect(uploaded).toMatchObject({ sizeBytes: bytes.length, sha256: sha256(bytes), parts: 9 });
    expect(fake.requests[0]!.query).toEqual({
      name: 'film',
      prefix: 'films',
      private: 'true',
      expire: '30d',
      filename: 'film.mp4',
      mime_type: 'video/mp4',
      size: String(bytes.length),
    });
    expect(fake.mostParts).toBe(6);
    expect(fake.count('part')).toBe(9);
    for (const { operation, query: asked, body } of fake.requests)
      if (operation === 'part') expect(asked.checksum_sha256).toBe(sha256(body));
  });

  it('sends a file in parts when one request cannot hold it, whatever the options say', async () => {
    const fake = await startFakeServer();
    fake.fault = first(1, 'start', { status: 403, code: 'STORAGE_QUOTA_EXCEEDED' });
    const large = new Blob(Array.from({ length: 101 }, () => Buffer.alloc(1_048_576)));
    const error = await failureOf(
      uploadFile(large, { baseUrl: fake.baseUrl, credential: 'cbk_key', singleUpToBytes: Infinity }).done,
    );
    expect(error).toMatchObject({
      code: 'STORAGE_QUOTA_EXCEEDED',
      status: 403,
      retryable: false,
      message: 'About STORAGE_QUOTA_EXCEEDED.',
    });
    expect(fake.requests.map(({ operation }) => operation)).toEqual(['start']);
  });

  it('reports the refusal of the server, and does not retry', async () => {
    const fake = await startFakeServer();
    fake.fault = first(1, 'upload', { status: 400, code: 'BLOCKED_FILE_TYPE' });
    const upload = uploadFile(fileOf(someBytes()), { baseUrl: fake.baseUrl, credential: 'cbk_key' });
    expect(await failureOf(upload.done)).toMatchObject({ code: 'BLOCKED_FILE_TYPE', status: 400, retryable: false });
    expect(upload.state).toBe('failed');
    expect(fake.requests).toHaveLength(1);
  });
});

describe('an upload over a bad connection', () => {
  const faults: ReadonlyArray<[string, string, Fault]> = [
    ['the connection breaks before a part', 'part', { cut: 'early' }],
    ['the connection breaks after a part', 'part', { cut: 'late' }],
    ['a part gets 503', 'part', { status: 503, code: 'STORAGE_UNAVAILABLE' }],
    ['a part gets a response from a proxy', 'part', { status: 502 }],
    ['a part arrives damaged', 'part', { status: 400, code: 'CHECKSUM_MISMATCH' }],
    ['the response to the completion is lost', 'complete', { cut: 'late' }],
    ['the completion gets 500', 'complete', { status: 500, code: 'INTERNAL_SERVER_ERROR' }],
    ['the start gets 408', 'start', { status: 408, code: 'REQUEST_TIMEOUT' }],
  ];
  it.each(faults)('completes when %s', async (_, operation, fault) => {
    const fake = await startFakeServer();
    fake.fault = first(2, operation, fault);
    const bytes = someBytes(2 * partBytes + 5);
    expect(await uploadFile(fileOf(bytes), inParts(fake)).done).toMatchObject({ sha256: sha256(bytes) });
    expect(fake.count(operation)).toBe(operation === 'part' ? 5 : 3);
  });

  it('gives up after the allowed tries, and leaves nothing on the server if it cannot be resumed', async () => {
    const fake = await startFakeServer();
    fake.fault = ({ operation, query }) => (operation === 'part' && query.part === '2' ? { cut: 'early' } : undefined);
    const error = await failureOf(
      uploadFile(fileOf(someBytes(3 * partBytes)), inParts(fake, { retry: { tries: 3, firstWaitMs: 5 } })).done,
    );
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: undefined, retryable: true });
    expect(fake.requests.filter(({ query }) => query.part === '2')).toHaveLength(3);
    expect(fake.uploads.size).toBe(0);
  });

  it('waits for Retry-After with all of its parts, and does not count that as a failure', async () => {
    const fake = await startFakeServer();
    fake.fault = first(1, 'part', { status: 429, code: 'RATE_LIMITED', retryAfter: '1' });
    const startedAt = performance.now();
    await uploadFile(fileOf(someBytes(4 * partBytes)), inParts(fake, { concurrency: 1, retry: { tries: 1 } })).done;
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    expect(fake.count('part')).toBe(5);
  });

  it('does not retry after 501', async () => {
    const fake = await startFakeServer();
    fake.fault = first(1, 'start', { status: 501, code: 'NOT_IMPLEMENTED' });
    expect(await failureOf(uploadFile(fileOf(someBytes(partBytes)), inParts(fake)).done)).toMatchObject({
      code: 'NOT_IMPLEMENTED',
      retryable: false,
    });
  });

  it('sends a part again that the completion finds missing', async () => {
    const fake = await startFakeServer();
    let isLost = false;
    fake.fault = ({ operation }) => {
      if (operation === 'complete' && !isLost) isLost = [...fake.uploads.values()][0]!.parts.delete(1);
      return undefined;
    };
    const bytes = someBytes(2 * partBytes);
    expect(await uploadFile(fileOf(bytes), inParts(fake)).done).toMatchObject({ sha256: sha256(bytes) });
    expect(fake.count('part')).toBe(3);
  });

  it('starts again when the server no longer has it', async () => {
    const fake = await startFakeServer();
    fake.fault = ({ operation, query }) => {
      if (operation === 'part' && query.part === '3' && fake.count('start') === 1) fake.uploads.clear();
      return undefined;
    };
    const bytes = someBytes(3 * partBytes);
    expect(await uploadFile(fileOf(bytes), inParts(fake, { concurrency: 1 })).done).toMatchObject({
      sha256: sha256(bytes),
    });
    expect(fake.count('start')).toBe(2);
  });

  const twice: ReadonlyArray<[string, Partial<UploadOptions>]> = [
    ['is private', { query: { name: 'film', private: true } }],
    ['must not overwrite', { query: { name: 'film', overwrite: false } }],
    ['comes with an upload token', { credential: 'cbup_token' }],
  ];
  it.each(twice)('is not sent twice in one request when it %s and may be stored already', async (_, options) => {
    const fake = await startFakeServer();
    fake.fault = first(1, 'upload', { cut: 'late' });
    const { code, message } = await failureOf(
      uploadFile(fileOf(someBytes()), { baseUrl: fake.baseUrl, credential: 'cbk_key', ...options }).done,
    );
    expect({ code, message }).toEqual({
      code: 'ANSWER_LOST',
      message: expect.stringContaining('Check whether it is there'),
    });
    expect(fake.count('upload')).toBe(1);
  });

  it('is sent twice in one request when the second replaces the first', async () => {
    const fake = await startFakeServer();
    fake.fault = first(1, 'upload', { cut: 'late' });
    await uploadFile(fileOf(someBytes()), { baseUrl: fake.baseUrl, credential: 'cbk_key', retry: { firstWaitMs: 5 } })
      .done;
    expect(fake.count('upload')).toBe(2);
  });
});

describe('pause(), resume() and cancel()', () => {
  /** Starts an upload whose parts from the third on hang. Parts 1 and 2 are stored, and the others are running. */
  async function halfway(options: Partial<UploadOptions> = {}, parts = 5) {
    const fake = await startFakeServer();
    const states: string[] = [];
    fake.fault = ({ operation, query }) =>
      operation === 'part' && Number(query.part) > 2 ? { hang: true } : undefined;
    const bytes = someBytes(parts * partBytes);
    const upload = uploadFile(
      fileOf(bytes),
      inParts(fake, { onState: (state) => void states.push(state), ...options }),
    );
    await until(() => fake.count('part') === 5 && [...fake.uploads.values()][0]!.parts.size === 2);
    return { fake, upload, bytes, states };
  }

  it('finish running parts, start no more, and continue', async () => {
    const { fake, upload, bytes, states } = await halfway({ concurrency: 3 }, 7);
    upload.pause();
    upload.pause();
    expect(upload.state).toBe('paused');
    fake.fault = () => undefined;
    fake.endHung('answer');
    await until(() => upload.progress.sentBytes === 5 * partBytes);
    const before = fake.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([fake.requests.length, upload.state]).toEqual([before, 'paused']);
    upload.resume();
    expect(await upload.done).toMatchObject({ sha256: sha256(bytes) });
    expect(fake.requests.map(({ operation, query }) => operation + (query.part ?? '')).sort()).toEqual([
      'complete',
      ...[1, 2, 3, 4, 5, 6, 7].map((part) => `part${part}`),
      'start',
    ]);
    expect(states).toEqual(['paused', 'uploading', 'completed']);
  });

  it('do not complete a paused upload, and send a part again whose connection broke meanwhile', async () => {
    const { fake, upload, bytes } = await halfway();
    upload.pause();
    fake.fault = () => undefined;
    fake.endHung('cut');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([fake.count('part'), fake.count('complete')]).toEqual([5, 0]);
    upload.resume();
    expect(await upload.done).toMatchObject({ sha256: sha256(bytes) });
    expect(fake.count('part')).toBe(8);
  });

  it('let a file in one request complete', async () => {
    const fake = await startFakeServer();
    fake.fault = ({ operation }) => (operation === 'upload' ? { hang: true } : undefined);
    const upload = uploadFile(fileOf(someBytes()), { baseUrl: fake.baseUrl, credential: 'cbk_key' });
    await until(() => fake.count('upload') === 1);
    upload.pause();
    fake.endHung('answer');
    await upload.done;
    expect([upload.state, fake.count('upload')]).toEqual(['completed', 1]);
  });

  it('work when they are called in quick succession', async () => {
    const { fake, upload, bytes } = await halfway();
    fake.fault = () => undefined;
    fake.endHung('answer');
    for (let round = 0; round < 5; round++) {
      upload.pause();
      upload.resume();
    }
    expect(await upload.done).toMatchObject({ sha256: sha256(bytes) });
  });

  it.each([
    ['running', false],
    ['paused', true],
  ])('remove everything that is stored of an upload that is %s', async (_, isPaused) => {
    const store = new Map<string, ResumeRecord>();
    const { fake, upload, states } = await halfway({ resumeStore: store });
    expect(store.size).toBe(1);
    if (isPaused) upload.pause();
    await upload.cancel();
    expect(await failureOf(upload.done)).toMatchObject({ code: 'UPLOAD_CANCELLED', retryable: false });
    expect(fake.uploads.size).toBe(0);
    expect(store.size).toBe(0);
    expect(states.at(-1)).toBe('cancelled');
    upload.resume();
    await upload.cancel();
    expect(upload.state).toBe('cancelled');
  });

  it('cancel() ends an upload whose start has no response yet, and removes what the start opened', async () => {
    const fake = await startFakeServer();
    fake.fault = ({ operation }) => (operation === 'start' ? { hang: true } : undefined);
    const upload = uploadFile(fileOf(someBytes(2 * partBytes)), inParts(fake));
    await until(() => fake.count('start') === 1);
    const cancelled = upload.cancel();
    fake.endHung('answer');
    await cancelled;
    expect(await failureOf(upload.done)).toMatchObject({ code: 'UPLOAD_CANCELLED' });
    expect([fake.count('part'), fake.uploads.size]).toEqual([0, 0]);
  });

  it('cancel() ends an upload that waits for its turn', async () => {
    const fake = await startFakeServer();
    fake.fault = ({ operation }) =>
      operation === 'start' ? { status: 429, code: 'RATE_LIMITED', retryAfter: '60' } : undefined;
    const upload = uploadFile(fileOf(someBytes(2 * partBytes)), inParts(fake));
    await until(() => fake.count('start') === 1);
    await upload.cancel();
    expect(await failureOf(upload.done)).toMatchObject({ code: 'UPLOAD_CANCELLED' });
  });

  it('cancel() has the same effect as the signal', async () => {
    const stop = new AbortController();
    const { fake, upload } = await halfway({ signal: stop.signal });
    stop.abort();
    expect(await failureOf(upload.done)).toMatchObject({ code: 'UPLOAD_CANCELLED' });
    expect(fake.uploads.size).toBe(0);
    const late = uploadFile(fileOf(someBytes()), { baseUrl: fake.baseUrl, credential: 'cbk_key', signal: stop.signal });
    expect(await failureOf(late.done)).toMatchObject({ code: 'UPLOAD_CANCELLED' });
    expect(fake.count('upload')).toBe(0);
  });
});
