import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { BlobStore } from '#server/domain/ports/blobs.ts';
import { openRequest } from '#test/contract/bad-input/raw-request.ts';
import { readDataFolder } from '#test/faults/data-folder.ts';
import { changeStored } from '#test/support/chosen-store.ts';
import { chunking, partBytes } from '#test/support/chunked.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const { start, open, put, complete, abort, status, list } = chunking(() => server);
const dayMs = 86_400_000;

/** Checks that no reservation is left over at rest, and that the disk holds exactly the blobs that rows name. */
const expectOrder = ({ bytes = false } = {}) =>
  expect.poll(async () => (await readDataFolder(server.dataDir, { bytes })).problems).toEqual([]);

const fetched = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await server.send(new URL(url).pathname, { door: 'public', headers });
  return { status: answer.status, bytes: answer.body, headers: answer.headers };
};

const md5 = (...pieces: Uint8Array[]) => pieces.reduce((hash, piece) => hash.update(piece), createHash('md5')).digest();

async function info({ credential }: TestAccount, id: string) {
  return (await server.send(`/v1/objects/info?object=${id}`, { credential })).json().response;
}

describe('a chunked upload', () => {
  it('makes the file of one request in any order of its parts, and serves ranges across their borders', async () => {
    const account = await server.account();
    const bytes = someBytes(2 * partBytes + 700);
    const parts = [
      bytes.subarray(0, partBytes),
      bytes.subarray(partBytes, 2 * partBytes),
      bytes.subarray(2 * partBytes),
    ];
    const started = (
      await start(account, {
        prefix: 'videos',
        expire: '30d',
        filename: 'Launch (final).MP4',
        disposition: 'attachment',
        cache_control: 'max-age=60',
        metadata: '{"a":"1"}',
        size: String(bytes.length),
      })
    ).json().response;
    expect(started).toEqual({
      upload: expect.any(String),
      id: `pub/${account.id}/videos/big-ex30.mp4`,
      private: false,
      url: expect.stringContaining('/videos/big-ex30.mp4'),
      expires_at: new Date(server.clock.now() + 30 * dayMs).toISOString(),
      chunk: { min_size: 5_242_880, max_size: 33_554_432, max_parts: 2048, max_object_size: 10_737_418_240 },
    });
    server.clock.advance(60_000);
    for (const number of [3, 1, 2]) {
      const answer = await put(account, started.upload, number, parts[number - 1]!);
      expect(answer.json().response).toEqual({
        part: number,
        size: parts[number - 1]!.length,
        etag: md5(parts[number - 1]!).toString('hex'),
      });
    }
    const { response } = (await complete(account, started.upload)).json();
    expect(response).toEqual({
      id: started.id,
      private: false,
      url: started.url,
      expires_at: new Date(server.clock.now() + 30 * dayMs).toISOString(),
      size: bytes.length,
      etag: `${md5(...parts.map((part) => md5(part))).toString('hex')}-3`,
      parts: 3,
      sha256: sha256(bytes),
      replaced: false,
    });
    expect(await info(account, started.id)).toMatchObject({
      etag: `${md5(...parts.map((part) => md5(part))).toString('hex')}-3`,
      sha256: sha256(bytes),
      original_name: 'Launch (final).MP4',
      metadata: { a: '1' },
      size: bytes.length,
    });
    const single = (await upload(server, account, { bytes, filename: 'x.mp4' })).json().response;
    expect(single.sha256).toBe(response.sha256);

    const whole = await fetched(response.url);
    expect(whole.bytes.equals(bytes)).toBe(true);
    for (const [from, to] of [
      [partBytes - 3, partBytes + 2],
      [partBytes - 1, 2 * partBytes],
      [2 * partBytes, bytes.length - 1],
      [0, bytes.length - 1],
    ] as const) {
      const piece = await fetched(response.url, { Range: `bytes=${from}-${to}` });
      expect([piece.status, piece.bytes.equals(bytes.subarray(from, to + 1))]).toEqual([206, true]);
    }

    const copied = await server.send('/v1/objects/copy', {
      method: 'POST',
      credential: account.credential,
      body: JSON.stringify({ source: started.id, destination: { name: 'twin' }, move: true }),
    });
    expect((await fetched(copied.json().response.url)).bytes.equals(bytes)).toBe(true);
    await expectOrder({ bytes: true });
  });

  it('repeats the response of its completion byte for byte for 24 hours, whatever happens to the file', async () => {
    const account = await server.account();
    const handle = await open(account);
    await put(account, handle, 1, someBytes(600));
    const first = await complete(account, handle);
    await server.send('/v1/objects', {
      method: 'DELETE',
      credential: account.credential,
      body: JSON.stringify({ object: first.json().response.id }),
    });
    expect((await complete(account, handle)).body.equals(first.body)).toBe(true);
    server.clock.advance(dayMs - 1);
    expect((await complete(account, handle)).body.equals(first.body)).toBe(true);
    server.clock.advance(1);
    expect((await complete(account, handle)).json().code).toBe('UPLOAD_NOT_FOUND');
    await expectOrder();
  });

  it('rejects a wrong number of a part, and reports the missing part of a gap', async () => {
    const account = await server.account();
    const handle = await open(account);
    for (const number of [0, 2049]) {
      const { code, message } = (await put(account, handle, number, someBytes(600))).json();
      expect([code, /part \d/.test(message)]).toEqual(['INVALID_CHUNK_PART', false]);
    }
    await put(account, handle, 2, someBytes(600));
    expect((await complete(account, handle)).json()).toMatchObject({
      code: 'INVALID_CHUNK_PART',
      message: expect.stringContaining('Part 1 is missing'),
    });
    await abort(account, handle);
  });

  it('reserves quota for its parts, frees it when aborted, and stays open when the quota was lowered', async () => {
    const account = await server.account();
    const { metadata } = server.running.app.stores;
    const reserved = async () => (await metadata.read.accounts.find(account.id))!.reservedBytes;
    await metadata.atomically((tx) => tx.accounts.setQuota(account.id, 100_000));
    const handle = (await start(account)).json().response;
    expect(handle.chunk.max_object_size).toBe(100_000);
    await put(account, handle.upload, 1, someBytes(60_000));
    expect(await reserved()).toBe(60_000);
    // The part is sent again after a lost response. The bytes that it replaces already count.
    expect((await put(account, handle.upload, 1, someBytes(99_000))).status).toBe(200);
    expect((await put(account, handle.upload, 1, someBytes(100_000))).status).toBe(200);
    expect((await put(account, handle.upload, 1, someBytes(100_001))).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    expect((await put(account, handle.upload, 2, someBytes(1))).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    expect(await reserved()).toBe(100_000);
    await metadata.atomically((tx) => tx.accounts.setQuota(account.id, 99_999));
    expect((await complete(account, handle.upload)).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    expect((await status(account, handle.upload)).json().response.size_so_far).toBe(100_000);
    await metadata.atomically((tx) => tx.accounts.setQuota(account.id, 100_000));
    expect((await complete(account, handle.upload)).status).toBe(200);
    expect(await reserved()).toBe(0);

    const other = await server.account();
    const second = await open(other);
    await put(other, second, 1, someBytes(50_000));
    expect((await abort(other, second)).json()).toEqual({ status: 'success' });
    expect((await abort(other, second)).json()).toEqual({ status: 'success' });
    expect((await metadata.read.accounts.find(other.id))!.reservedBytes).toBe(0);
    await expectOrder();
  });

  it('checks the announced size, and stays open until its parts have it', async () => {
    const account = await server.account();
    const upload = await open(account, { size: '4000' });
    for (const bytes of [3999, 4001]) {
      await put(account, upload, 1, someBytes(bytes));
      const answer = await complete(account, upload);
      expect([answer.status, answer.json().code, answer.json().message]).toEqual([
        409,
        'SIZE_MISMATCH',
        expect.stringMatching(new RegExp(`${bytes}.*4000`)),
      ]);
      expect((await status(account, upload)).json().response.size_so_far).toBe(bytes);
    }
    await put(account, upload, 1, someBytes(4000));
    expect((await complete(account, upload)).json().response).toMatchObject({ size: 4000, parts: 1 });
    expect((await complete(account, upload)).json().response).toMatchObject({ size: 4000, parts: 1 });
  });

  it('is listed while open, hidden from clients once it is idle, and removed by the job, as the system', async () => {
    const account = await server.account();
    const first = await open(account, { name: 'first' });
    server.clock.advance(1000);
    const second = await open(account, { name: 'second', prefix: 'a', private: 'true' });
    const { uploads } = (await list(account)).json().response;
    expect(uploads.map(({ upload }: { upload: string }) => upload)).toEqual([first, second]);
    const restricted = { credential: await server.key(account, { scopes: ['blob:write'], prefixes: ['a'] }) };
    expect((await list(restricted)).json().response.uploads).toEqual([uploads[1]]);
    expect((await status(restricted, second)).status).toBe(200);
    expect((await status(restricted, first)).json().code).toBe('PREFIX_NOT_ALLOWED');

    server.clock.advance(dayMs - 2000);
    await put(account, first, 2, someBytes(20_000));
    server.clock.advance(2000);
    expect((await status(account, second)).json().code).toBe('UPLOAD_NOT_FOUND');
    expect((await put(account, second, 1, someBytes(600))).json().code).toBe('UPLOAD_NOT_FOUND');
    expect((await complete(account, second)).json().code).toBe('UPLOAD_NOT_FOUND');
    expect((await abort(account, second)).status).toBe(200);
    expect((await list(account)).json().response.uploads).toEqual([uploads[0]]);
    expect((await status(account, first)).json().response).toMatchObject({ next_part: 1, parts: [{ part: 2 }] });
    server.clock.advance(dayMs);
    await server.running.app.jobs.runNow();
    expect((await server.running.app.stores.metadata.read.accounts.find(account.id))!.reservedBytes).toBe(0);
    const { activity } = (await server.send('/v1/account/activity', { credential: account.credential })).json()
      .response;
    const seen = activity.map(({ type, auth }: { type: string; auth: string }) => `${type} by ${auth}`);
    expect(seen.slice(0, 2)).toEqual(['chunked.aborted by system', 'chunked.aborted by system']);
    expect(seen.filter((one: string) => one.startsWith('chunked.started'))).toEqual([
      'chunked.started by api_key',
      'chunked.started by api_key',
    ]);
    await expectOrder();
  });

  it('frees its slot among the 32', async () => {
    const account = await server.account();
    const opened = await Promise.all(Array.from({ length: 40 }, () => start(account)));
    expect(opened.filter((answer) => answer.status === 200)).toHaveLength(32);
    const refused = opened.find((answer) => answer.status === 429)!;
    expect([refused.json().code, refused.headers.get('retry-after')]).toEqual(['TOO_MANY_OPEN_UPLOADS', '60']);
    const one = opened.find((answer) => answer.status === 200)!.json().response.upload;
    await abort(account, one);
    expect((await start(account)).status).toBe(200);
    expect((await start(account)).status).toBe(429);
    // Idle uploads do not count, even before the job has run.
    server.clock.advance(dayMs);
    expect((await start(account)).status).toBe(200);
    await server.running.app.jobs.runNow();
    await expectOrder();
  });

  it('adds its SHA-256 to its details and those of copies later if large parts came out of order', async () => {
    const account = await server.account();
    const bytes = someBytes(3 * 22 * 1024 * 1024);
    const size = bytes.length / 3;
    const handle = await open(account);
    for (const number of [2, 1, 3])
      await put(account, handle, number, bytes.subarray((number - 1) * size, number * size));
    const { response } = (await complete(account, handle)).json();
    expect(response.sha256).toBeNull();
    const copied = await server.send('/v1/objects/copy', {
      method: 'POST',
      credential: account.credential,
      body: JSON.stringify({ source: response.id, destination: { name: 'twin' } }),
    });
    await expect.poll(async () => (await info(account, response.id)).sha256).toBe(sha256(bytes));
    expect((await info(account, copied.json().response.id)).sha256).toBe(sha256(bytes));
    expect((await complete(account, handle)).json().response.sha256).toBeNull();

    const second = await open(account, { name: 'checked' });
    for (const number of [2, 1, 3])
      await put(account, second, number, bytes.subarray((number - 1) * size, number * size));
    expect((await complete(account, second, { checksum_sha256: '0'.repeat(64) })).json().code).toBe(
      'CHECKSUM_MISMATCH',
    );
    expect((await complete(account, second, { checksum_sha256: sha256(bytes) })).json().response.sha256).toBe(
      sha256(bytes),
    );
    await expectOrder();
  });

  it('appears at once in lists and stats that were cached before', async () => {
    const account = await server.account();
    const seen = async () => {
      const { credential } = account;
      const { objects } = (await server.send('/v1/objects', { credential })).json().response;
      const { usage } = (await server.send('/v1/account/stats', { credential })).json().response;
      return [objects.length, usage.objects, usage.storage];
    };
    const handle = await open(account);
    await put(account, handle, 1, someBytes(20_000));
    expect(await seen()).toEqual([0, 0, 0]);
    await complete(account, handle);
    expect(await seen()).toEqual([1, 1, 20_000]);
  });

  it('continues with the upload token that opened it, even used up and expired, and with no other token', async () => {
    const account = await server.account();
    const [token, other] = [
      { credential: await tokenOf(server, account) },
      { credential: await tokenOf(server, account, { max_uses: 2 }) },
    ];
    const [own, others] = [await open(token), await open(other, { name: 'others' })];
    expect((await start(token)).json().code).toBe('UPLOAD_TOKEN_USED');
    server.clock.advance(3_600_000);
    expect((await start(other)).json().code).toBe('ACCESS_DENIED');
    const bytes = someBytes(600);
    for (const [who, handle] of [
      [token, others],
      [other, own],
    ] as const) {
      for (const answer of [
        await put(who, handle, 1, bytes),
        await status(who, handle),
        await complete(who, handle),
        await abort(who, handle),
      ])
        expect(answer.json().code).toBe('INVALID_UPLOAD_TOKEN');
    }
    expect((await put(token, own, 1, bytes)).status).toBe(200);
    expect((await status(token, own)).json().response.id).toMatch(/big_[a-z2-7]{16}\.bin$/);
    expect((await complete(token, own)).json().response.size).toBe(600);
    expect((await abort(other, others)).status).toBe(200);
    expect((await list(account)).json().response.uploads).toEqual([]);
  });

  it('keeps the earlier part when a client disconnects in the middle of a new one, and logs no fault', async () => {
    const account = await server.account();
    const handle = await open(account);
    const first = (await put(account, handle, 1, someBytes(20_000))).json().response;
    for (const sent of [0, 5_000, 100_000]) {
      const { wire, answer } = openRequest(server, {
        method: 'PUT',
        path: `/v1/objects/chunked?upload=${handle}&part=1`,
        credential: account.credential,
        headers: { 'Content-Length': '200000' },
      });
      wire.flushHeaders();
      if (sent > 0) wire.write(someBytes(sent));
      await sleep(50);
      wire.destroy();
      await answer.catch(() => {});
    }
    await expectOrder();
    expect((await status(account, handle)).json().response.parts).toEqual([first]);
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('continues after a restart, where the job then computes a missing SHA-256 with one read of the file', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cubby-chunked-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const first = await startTestServer({ dataDir });
    const account = await first.account();
    const chunks = chunking(() => first);
    const bytes = someBytes(partBytes + 700);
    const [whole, half] = [await chunks.open(account, { name: 'whole' }), await chunks.open(account, { name: 'half' })];
    await chunks.put(account, whole, 1, bytes);
    const completed = await chunks.complete(account, whole);
    await chunks.put(account, half, 1, bytes.subarray(0, partBytes));
    await first.stop();
    // As if the server had stopped before the job had read the file.
    expect(await changeStored(dataDir, 'UPDATE objects SET sha256 = NULL')).toBe(1);

    let opened = 0;
    const second = await startTestServer({
      dataDir,
      env: { CUBBY_SCRUB_DAYS: '0' }, // the scrub reads files too
      blobs: (real) => ({
        ...bound(real),
        open: async (...given) => (opened++, await sleep(300), real.open(...given)),
      }),
    });
    await expect.poll(() => opened, { interval: 5 }).toBe(1);
    await second.running.app.jobs.runNow();
    const again = chunking(() => second);
    const { id } = completed.json().response;
    await expect
      .poll(
        async () =>
          (await second.send(`/v1/objects/info?object=${id}`, { credential: account.credential })).json().response
            .sha256,
      )
      .toBe(sha256(bytes));
    expect(opened).toBe(1);
    await again.put(account, half, 2, bytes.subarray(partBytes));
    expect((await again.complete(account, half)).json().response.sha256).toBe(sha256(bytes));
    const { problems } = await readDataFolder(dataDir, { bytes: true });
    expect(problems).toEqual([]);
  });
});

function bound(real: BlobStore): BlobStore {
  return {
    put: (...given) => real.put(...given),
    open: (...given) => real.open(...given),
    delete: (id) => real.delete(id),
    ids: () => real.ids(),
  };
}
