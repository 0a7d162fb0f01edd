import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';

import { uploadFile, type UploadOptions } from 'cubby-server/uploader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sha256, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { generateFile } from './generated-file.ts';

const mebibyte = 1_048_576;

let server: TestServer;
let account: TestAccount;
let at: UploadOptions;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  at = { baseUrl: server.running.urls.base, credential: account.credential };
});
afterAll(() => server.stop());

async function downloadedSha256(url: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of (await fetch(url)).body!) hash.update(chunk);
  return hash.digest('hex');
}

const openUploads = async () =>
  (await server.send('/v1/objects/chunked/open', { credential: account.credential })).json().response.uploads;

describe('uploadFile() against the real server', () => {
  it('stores a small file', async () => {
    const bytes = someBytes(20_000);
    const uploaded = await uploadFile(new File([bytes as Buffer<ArrayBuffer>], 'april.pdf'), {
      ...at,
      query: { prefix: 'invoices' },
    }).done;
    expect(uploaded).toMatchObject({
      id: `pub/${account.id}/invoices/april.pdf`,
      isPrivate: false,
      sizeBytes: bytes.length,
      sha256: sha256(bytes),
    });
    expect(uploaded.receipt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await downloadedSha256(uploaded.url!)).toBe(sha256(bytes));
  });

  it('stores a file from the disk that is too large for one request', async () => {
    const { path, sha256: wanted } = await generateFile('backup.tar.gz', 106 * mebibyte + 5);
    const uploaded = await uploadFile(await openAsBlob(path), { ...at, fileName: 'backup.tar.gz' }).done;
    expect(uploaded).toMatchObject({ id: `pub/${account.id}/backup.tar.gz`, sizeBytes: 106 * mebibyte + 5, parts: 14 });
    expect(await downloadedSha256(uploaded.url!)).toBe(wanted);
    expect(await openUploads()).toEqual([]);
  });

  it('fails with the error of the server', async () => {
    await expect(uploadFile(new Blob(['too small']), { ...at, fileName: 'a.txt' }).done).rejects.toMatchObject({
      code: 'FILE_TOO_SMALL',
      message: 'The file is under 512 bytes, the minimum for an upload. Choose a larger file.',
    });
    await expect(
      uploadFile(new Blob([someBytes(6 * mebibyte)]), { ...at, fileName: 'setup.exe', singleUpToBytes: 0 }).done,
    ).rejects.toMatchObject({ code: 'BLOCKED_FILE_TYPE' });
    await expect(uploadFile(new Blob([someBytes()]), { ...at, credential: 'cbk_wrong' }).done).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      status: 401,
    });
  });

  it('pauses, continues, and cancels without leaving anything behind', async () => {
    const bytes = someBytes(30 * mebibyte);
    const inParts: UploadOptions = { ...at, fileName: 'film.mp4', chunkSizeBytes: 5 * mebibyte };
    let isPaused = false;
    const upload = uploadFile(new Blob([bytes]), {
      ...inParts,
      onProgress: ({ sentBytes }) => {
        if (isPaused || sentBytes < 10 * mebibyte) return;
        isPaused = true;
        upload.pause();
        setTimeout(() => upload.resume(), 50);
      },
    });
    expect(await downloadedSha256((await upload.done).url!)).toBe(sha256(bytes));

    const cancelled = uploadFile(new Blob([bytes]), {
      ...inParts,
      onProgress: ({ sentBytes }) => void (sentBytes >= 10 * mebibyte && cancelled.cancel()),
    });
    await expect(cancelled.done).rejects.toMatchObject({ code: 'UPLOAD_CANCELLED' });
    expect(await openUploads()).toEqual([]);
  });

  it('uploads and resumes with upload tokens, and requests another one when the first is spent', async () => {
    const mint = async () => {
      const body = JSON.stringify({ max_uses: 1, prefix: 'inbox' });
      return (await server.send('/v1/upload-tokens', { method: 'POST', credential: account.credential, body })).json()
        .response.token as string;
    };
    const spent = await mint();
    await uploadFile(new Blob([someBytes()]), { ...at, credential: spent, fileName: 'one.pdf' }).done;
    let asked = 0;
    const uploaded = await uploadFile(new Blob([someBytes()]), {
      ...at,
      credential: async () => (asked++ === 0 ? spent : mint()),
      fileName: 'two.pdf',
    }).done;
    expect(uploaded.id).toMatch(new RegExp(`^pub/${account.id}/inbox/two_[a-z0-9]{16}\\.pdf$`));
    expect(asked).toBe(2);

    const store = new Map();
    const bytes = someBytes(20 * mebibyte);
    const inParts: UploadOptions = {
      ...at,
      credential: mint,
      fileName: 'film.mp4',
      chunkSizeBytes: 5 * mebibyte,
      resumeStore: store,
      concurrency: 1,
    };
    const left = uploadFile(new Blob([bytes]), {
      ...inParts,
      onProgress: ({ sentBytes }) => void (sentBytes >= 10 * mebibyte && left.pause()),
    });
    await expect.poll(() => left.state, { timeout: 20_000 }).toBe('paused');
    const sent: string[] = [];
    // Leaves out the probes of a server that is slow to respond.
    const noting: typeof fetch = (request) => (
      (request as Request).url.endsWith('/livez') || sent.push((request as Request).method),
      fetch(request)
    );
    const again = uploadFile(new Blob([bytes]), { ...inParts, resumeStore: new Map(store), fetch: noting });
    expect(await downloadedSha256((await again.done).url!)).toBe(sha256(bytes));
    // With another token, one start shows that it leads to the same folder.
    expect(sent.filter((method) => method !== 'PUT')).toEqual(['GET', 'POST', 'DELETE', 'PATCH']);
    expect(sent.length).toBeLessThan(4 + 4);
    expect(await openUploads()).toEqual([]);
  });
});

describe.skipIf(process.env.CUBBY_TEST_LONG !== '1')(
  'uploadFile() under the rate limits of the real server (test:long)',
  () => {
    it('waits for its turn, and does not fail', async () => {
      const limited = await startTestServer({ rateLimits: true });
      const { credential } = await limited.account('standard');
      const startedAt = performance.now();
      // The server's clock moves only when the test advances it.
      const ticking = setInterval(() => limited.clock.advance(100), 100);
      const upload = (number: number) =>
        uploadFile(new Blob([someBytes(5 * mebibyte + 700) as Buffer<ArrayBuffer>]), {
          baseUrl: limited.running.urls.base,
          credential,
          fileName: `file-${number}.pdf`,
          singleUpToBytes: 0,
          chunkSizeBytes: 5 * mebibyte,
          retry: { tries: 1 },
        }).done;
      // The limits are 5 starts and 5 completions in 10 seconds, and 6 parallel parts.
      const uploaded = await Promise.all(Array.from({ length: 12 }, (_, number) => upload(number)));
      clearInterval(ticking);
      expect(new Set(uploaded.map(({ id }) => id)).size).toBe(12);
      expect(performance.now() - startedAt).toBeGreaterThan(10_000);
    });
  },
);
