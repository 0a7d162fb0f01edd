import { createHash, randomInt } from 'node:crypto';
import { request as httpRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readDataFolder } from '#test/faults/data-folder.ts';
import { chunking, partBytes } from '#test/support/chunked.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { handleOf, metadataOf, serialUploads, tus, tusBytes } from '#test/support/serial.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const { create, open, append, head, state, end, draft, draftAppend } = serialUploads(() => server);
const chunks = chunking(() => server);
const dayMs = 86_400_000;
const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Checks that no reservation is left over at rest, and that the disk holds exactly the blobs that rows name. */
const expectOrder = () => expect.poll(async () => (await readDataFolder(server.dataDir)).problems).toEqual([]);

const offsetOf = async (account: Pick<TestAccount, 'credential'>, address: string) =>
  Number((await head(account, address)).headers.get('upload-offset'));

/** Fetches the file that an upload has made. */
async function fileOf(account: Pick<TestAccount, 'credential'>, address: string) {
  const answer = await head(account, address);
  const url = answer.headers.get('x-cubby-url')!;
  const id = answer.headers.get('x-cubby-object')!;
  const { body } = await server.send(new URL(url).pathname, { door: 'public' });
  const info = await server.send(`/v1/objects/info?object=${id}`, { credential: account.credential });
  return { id, bytes: body, info: info.json().response };
}

/** Sends only the first bytes of an append, then cuts the connection. */
function cutAppend(
  { credential }: Pick<TestAccount, 'credential'>,
  address: string,
  offset: number,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wire = httpRequest(server.running.urls.base + address, {
    method: 'PATCH',
    headers: {
      ...tus,
      ...tusBytes,
      Authorization: credential,
      'Upload-Offset': String(offset),
      'Content-Length': String(bytes.length + 1000),
      ...headers,
    },
  });
  wire.on('error', () => resolve());
  wire.on('close', () => resolve());
  wire.write(bytes, () => setTimeout(() => wire.destroy(), 5));
  return promise;
}

/** The time at which the last row of a part was written does not matter here. */
async function partsOf(account: Pick<TestAccount, 'credential'>, address: string) {
  return (await chunks.status(account, handleOf(address))).json().response.parts as Array<{ size: number }>;
}

describe('an upload by tus', () => {
  it('makes the same file as any other upload, of the metadata of the protocol', async () => {
    const account = await server.account();
    const bytes = someBytes(5000);
    const fields = {
      filename: 'Launch (final).MP4',
      filetype: 'video/mp4',
      prefix: 'videos',
      expire: '30d',
    };
    const made = await create(account, { 'Upload-Length': '5000', ...metadataOf(fields) }, {});
    expect(made.status).toBe(201);
    expect(made.headers.get('tus-resumable')).toBe('1.0.0');
    expect(made.headers.get('upload-offset')).toBe('0');
    const address = made.headers.get('location')!;
    expect(address).toMatch(/^\/v1\/uploads\/[a-z2-7]{26}\.[\w-]{43}$/);
    const first = await append(account, address, 0, bytes.subarray(0, 3));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '3']);
    expect(first.headers.get('upload-expires')).toBe(new Date(server.clock.now() + dayMs).toUTCString());
    expect(first.headers.get('x-cubby-object')).toBeNull();
    const asked = await head(account, address);
    expect(asked.status).toBe(200);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'upload-offset': '3',
      'upload-length': '5000',
      'upload-metadata': metadataOf(fields)['Upload-Metadata'],
      'cache-control': 'no-store',
    });
    const last = await append(account, address, 3, bytes.subarray(3));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '5000']);
    const file = await fileOf(account, address);
    expect(file.id).toMatch(new RegExp(`^pub/${account.id}/videos/Launch-final-[0-9a-f]{8}-ex30\\.mp4$`));
    expect(file.bytes.equals(bytes)).toBe(true);
    expect(file.info).toMatchObject({ size: 5000, sha256: sha256(bytes), original_name: 'Launch (final).MP4' });
    expect((await head(account, address)).headers.get('upload-offset')).toBe('5000');
    await expectOrder();
  });

  it("takes options from the query first, and the file's name only if it is no name of an object", async () => {
    const account = await server.account();
    const idOf = async (query: Record<string, string>, fields: Record<string, string>) =>
      (
        await state(
          account,
          (await create(account, { 'Upload-Length': '600', ...metadataOf(fields) }, query)).headers.get('location')!,
        )
      )
        .json()
        .response.id.replace(account.id, 'A');
    expect(await idOf({ name: 'own', prefix: 'q' }, { name: 'other', prefix: 'm' })).toBe('pub/A/q/own.bin');
    expect(await idOf({}, { name: 'photo.jpg', filename: 'photo.jpg', type: 'image/jpeg' })).toBe('pub/A/photo.jpg');
    expect(await idOf({}, { name: 'own', filename: 'photo.jpg' })).toBe('pub/A/own.jpg');
    expect(await idOf({}, { name: 'My photo.jpg' })).toMatch(/^pub\/A\/My-photo-[0-9a-f]{8}\.jpg$/);
    expect(await idOf({}, { name: 'own', filetype: 'application/pdf' })).toBe('pub/A/own.pdf');
    expect((await create(account, { 'Upload-Length': '600' }, {})).json().code).toBe('INVALID_OBJECT_NAME');
  });

  it('cuts the bytes into parts, and its file has their ETag and the SHA-256 of all', async () => {
    const account = await server.account();
    const bytes = someBytes(35 * 1_048_576 + 77);
    const address = await open(account, bytes.length);
    await append(account, address, 0, bytes.subarray(0, 20_000_000));
    expect((await partsOf(account, address)).map(({ size }) => size)).toEqual([16_777_216, 3_222_784]);
    await append(account, address, 20_000_000, bytes.subarray(20_000_000));
    const { bytes: got, info } = await fileOf(account, address);
    expect(got.equals(bytes)).toBe(true);
    expect(info).toMatchObject({ size: bytes.length, sha256: sha256(bytes), etag: expect.stringMatching(/-3$|-4$/) });
    await expectOrder();
  });

  it('keeps thousands of tiny requests in few parts, and merges them without losing a byte', async () => {
    const account = await server.account();
    const bytes = someBytes(isLong ? 400_000 : 20_000);
    const address = await open(account, bytes.length);
    const step = 100;
    for (let offset = 0; offset < bytes.length - step; offset += step)
      expect((await append(account, address, offset, bytes.subarray(offset, offset + step))).status).toBe(204);
    expect((await partsOf(account, address)).length).toBeLessThan(64);
    await append(account, address, bytes.length - step, bytes.subarray(bytes.length - step));
    const { bytes: got, info } = await fileOf(account, address);
    expect(got.equals(bytes)).toBe(true);
    expect(info.sha256).toBe(sha256(bytes));
    await expectOrder();
  });

  it('merges pieces of any size to parts of at least 8 MiB', async () => {
    const account = await server.account();
    const bytes = someBytes(30 * 1_048_576);
    const address = await open(account, bytes.length);
    const ends = [3, 4, 7, 8, 13, 14, 20, 21, 29].map((mib) => mib * 1_048_576 + 5);
    let offset = 0;
    for (const to of ends) {
      await append(account, address, offset, bytes.subarray(offset, to));
      offset = to;
    }
    for (const { size } of (await partsOf(account, address)).slice(0, -2)) expect(size).toBeGreaterThan(8_000_000);
    await append(account, address, offset, bytes.subarray(offset));
    expect((await fileOf(account, address)).bytes.equals(bytes)).toBe(true);
    await expectOrder();
  });

  it('survives cuts at any byte: what the server has is what HEAD says, and it goes on there', async () => {
    const account = await server.account();
    const bytes = someBytes(isLong ? 60_000_000 : 3_000_000);
    const address = await open(account, bytes.length);
    const rounds = isLong ? 60 : 12;
    for (let round = 0; round < rounds; round++) {
      const offset = await offsetOf(account, address);
      const size = randomInt(1, Math.floor(bytes.length / rounds));
      await cutAppend(account, address, offset, bytes.subarray(offset, offset + size));
      const reached = await offsetOf(account, address);
      expect(reached).toBeGreaterThanOrEqual(offset);
      expect(reached).toBeLessThanOrEqual(offset + size);
    }
    const offset = await offsetOf(account, address);
    expect(offset).toBeGreaterThan(0);
    expect((await append(account, address, offset, bytes.subarray(offset))).status).toBe(204);
    const { bytes: got, info } = await fileOf(account, address);
    expect(got.equals(bytes)).toBe(true);
    expect(info.sha256).toBe(sha256(bytes));
    await expectOrder();
  });

  it('takes a size that comes late, and never another one', async () => {
    const account = await server.account();
    const made = await create(account, { 'Upload-Defer-Length': '1' });
    const address = made.headers.get('location')!;
    expect((await head(account, address)).headers.get('upload-defer-length')).toBe('1');
    await append(account, address, 0, someBytes(700));
    expect((await head(account, address)).headers.get('x-cubby-object')).toBeNull();
    const bytes = someBytes(100);
    expect((await append(account, address, 700, bytes, { 'Upload-Length': '900' })).status).toBe(204);
    const asked = await head(account, address);
    expect([asked.headers.get('upload-length'), asked.headers.get('upload-defer-length')]).toEqual(['900', null]);
    expect((await append(account, address, 800, bytes, { 'Upload-Length': '901' })).json().code).toBe('SIZE_MISMATCH');
    await append(account, address, 800, bytes);
    expect((await head(account, address)).headers.get('x-cubby-object')).not.toBeNull();
  });

  it('creates with bytes, whole or in part', async () => {
    const account = await server.account();
    const bytes = someBytes(2000);
    const part = await create(account, { 'Upload-Length': '2000', ...tusBytes }, { name: 'a' }, bytes.subarray(0, 500));
    expect([part.status, part.headers.get('upload-offset')]).toEqual([201, '500']);
    await append(account, part.headers.get('location')!, 500, bytes.subarray(500));
    const whole = await create(account, { 'Upload-Length': '2000', ...tusBytes }, { name: 'b' }, bytes);
    expect([whole.status, whole.headers.get('upload-offset')]).toEqual([201, '2000']);
    expect(whole.headers.get('x-cubby-object')).toBe(`pub/${account.id}/b.bin`);
    for (const { headers } of [part, whole])
      expect((await fileOf(account, headers.get('location')!)).bytes.equals(bytes)).toBe(true);
  });

  it.each(['sha1', 'sha256', 'sha512', 'md5'])(
    'checks %s, and keeps nothing of wrong or broken bytes',
    async (name) => {
      const account = await server.account();
      const bytes = someBytes(40_000);
      const address = await open(account, bytes.length);
      const sum = (of: Uint8Array) => ({
        'Upload-Checksum': `${name} ${createHash(name).update(of).digest('base64')}`,
      });
      const wrong = await append(account, address, 0, bytes, sum(bytes.subarray(1)));
      expect([wrong.status, wrong.json().code]).toEqual([460, 'UPLOAD_CHECKSUM_MISMATCH']);
      await cutAppend(account, address, 0, bytes.subarray(0, 30_000), sum(bytes));
      expect(await offsetOf(account, address)).toBe(0);
      expect((await append(account, address, 0, bytes, sum(bytes))).status).toBe(204);
      expect((await fileOf(account, address)).bytes.equals(bytes)).toBe(true);
      await expectOrder();
    },
  );

  it('ends after 24 hours without bytes, with an address that is gone', async () => {
    const account = await server.account();
    const address = await open(account, 600);
    server.clock.advance(dayMs - 1);
    await append(account, address, 0, someBytes(1));
    server.clock.advance(dayMs - 1);
    // An empty request keeps it no longer.
    await append(account, address, 1, new Uint8Array());
    server.clock.advance(1);
    expect((await head(account, address)).status).toBe(404);
    expect((await append(account, address, 1, someBytes(1))).json().code).toBe('UPLOAD_NOT_FOUND');
  });

  it('is ended by DELETE, which frees its quota, and which no completed upload takes', async () => {
    const account = await server.account();
    const address = await open(account, 600);
    await append(account, address, 0, someBytes(500));
    expect((await end(account, address)).status).toBe(204);
    expect((await head(account, address)).status).toBe(404);
    expect((await server.send('/v1/account/stats', { credential: account.credential })).json().response).toMatchObject(
      {},
    );
    const done = await open(account, 600);
    await append(account, done, 0, someBytes(600));
    expect((await end(account, done)).status).toBe(404);
    expect((await head(account, done)).status).toBe(200);
    await expectOrder();
  });

  it('keeps what its client sent when its file cannot be made, and makes it at the next HEAD', async () => {
    const account = await server.account();
    const { credential } = account;
    const bytes = someBytes(600);
    const query = { name: 'taken', overwrite: 'false' };
    const address = await open(account, 600, {}, query);
    const earlier = await open(account, 600, {}, query);
    await append(account, earlier, 0, someBytes(600));
    const { id } = await fileOf(account, earlier);
    expect((await append(account, address, 0, bytes)).json().code).toBe('OBJECT_ALREADY_EXISTS');
    expect((await state(account, address)).json().code).toBe('OBJECT_ALREADY_EXISTS');
    await server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ object: id }) });
    expect((await fileOf(account, address)).bytes.equals(bytes)).toBe(true);
    await expectOrder();
  });

  it('stops at the quota, keeps what fitted, and goes on when there is space again', async () => {
    const account = await server.account();
    const setQuota = (bytes: number | null) =>
      server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, bytes));
    const bytes = someBytes(600);
    const address = await open(account, 600);
    await append(account, address, 0, bytes.subarray(0, 300));
    await setQuota(400);
    expect((await append(account, address, 300, bytes.subarray(300))).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    await setQuota(null);
    expect(await offsetOf(account, address)).toBe(300);
    await append(account, address, 300, bytes.subarray(300));
    expect((await fileOf(account, address)).bytes.equals(bytes)).toBe(true);
  });
});

describe('requests at the same time', () => {
  it('are taken one by one: a newer one ends an older one, which keeps what had arrived', async () => {
    const account = await server.account();
    const bytes = someBytes(100_000);
    const address = await open(account, bytes.length);
    let sent!: () => void;
    const arrived = new Promise<void>((resolve) => (sent = resolve));
    const stale = append(
      account,
      address,
      0,
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.subarray(0, 40_000));
          sent();
        },
      }),
    );
    await arrived;
    const { chunkedUploads } = server.running.app.stores.metadata.read;
    await expect.poll(async () => (await chunkedUploads.find(handleOf(address).split('.')[0]!))?.writer).not.toBe(null);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const offset = await offsetOf(account, address);
    expect(offset).toBe(40_000);
    const refused = await stale;
    expect([refused.status, refused.json().code]).toEqual([423, 'UPLOAD_BUSY']);
    expect((await append(account, address, offset, bytes.subarray(offset))).status).toBe(204);
    expect((await fileOf(account, address)).bytes.equals(bytes)).toBe(true);
    await expectOrder();
  });

  it('never mix their bytes, and are never refused but with 409 or 423', async () => {
    const account = await server.account();
    const bytes = someBytes(900_000);
    const address = await open(account, bytes.length);
    const statuses = new Set<number>();
    for (let offset = 0; offset < bytes.length; offset = await offsetOf(account, address)) {
      const to = offset + randomInt(1, 200_000);
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => append(account, address, offset, bytes.subarray(offset, to))),
      );
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].filter((status) => ![204, 409, 423].includes(status))).toEqual([]);
    expect((await fileOf(account, address)).bytes.equals(bytes)).toBe(true);
    await expectOrder();
  });

  it('end an upload together with the bytes under way', async () => {
    const account = await server.account();
    const address = await open(account, 100_000);
    const body = new ReadableStream({ start: (controller) => controller.enqueue(someBytes(30_000)) });
    const stale = append(account, address, 0, body);
    const { chunkedUploads } = server.running.app.stores.metadata.read;
    await expect.poll(async () => (await chunkedUploads.find(handleOf(address).split('.')[0]!))?.writer).not.toBe(null);
    expect((await end(account, address)).status).toBe(204);
    expect([404, 423]).toContain((await stale).status);
    await expectOrder();
  });
});

describe('what one protocol begins', () => {
  it('is finished in parts, after bytes by tus', async () => {
    const account = await server.account();
    const bytes = someBytes(partBytes + 9000);
    const made = await create(account, { 'Upload-Defer-Length': '1' });
    const handle = handleOf(made.headers.get('location')!);
    await append(account, made.headers.get('location')!, 0, bytes.subarray(0, 700));
    await append(account, made.headers.get('location')!, 700, bytes.subarray(700, 1000));
    const { next_part: next, size_so_far: size } = (await chunks.status(account, handle)).json().response;
    expect([next, size]).toEqual([3, 1000]);
    await chunks.put(account, handle, 3, bytes.subarray(1000, 1000 + partBytes));
    await chunks.put(account, handle, 4, bytes.subarray(1000 + partBytes));
    const done = (await chunks.complete(account, handle)).json().response;
    expect(done).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
    expect((await fileOf(account, `/v1/uploads/${handle}`)).bytes.equals(bytes)).toBe(true);
    await expectOrder();
  });

  it('is finished by tus, after parts that came before and behind a gap', async () => {
    const account = await server.account();
    const bytes = someBytes(2 * partBytes);
    const handle = await chunks.open(account, { size: String(bytes.length) });
    await chunks.put(account, handle, 1, bytes.subarray(0, partBytes));
    await chunks.put(account, handle, 3, someBytes(500));
    const address = `/v1/uploads/${handle}`;
    expect(await offsetOf(account, address)).toBe(partBytes);
    await append(account, address, partBytes, bytes.subarray(partBytes, partBytes + 10));
    expect((await chunks.status(account, handle)).json().response.parts).toHaveLength(2);
    await append(account, address, partBytes + 10, bytes.subarray(partBytes + 10));
    expect((await fileOf(account, address)).bytes.equals(bytes)).toBe(true);
    await expectOrder();
  });

  it('is finished by the draft, and the other way round', async () => {
    const account = await server.account();
    const bytes = someBytes(3000);
    const address = await open(account, bytes.length);
    await append(account, address, 0, bytes.subarray(0, 1000));
    const done = await draftAppend(account, address, 1000, bytes.subarray(1000));
    expect(done.status).toBe(200);
    expect(done.json().response).toMatchObject({ size: 3000, sha256: sha256(bytes) });
    const begun = await draft(
      account,
      { 'Upload-Complete': '?0', 'Upload-Length': '3000' },
      { name: 'b' },
      bytes.subarray(0, 9),
    );
    const other = begun.headers.get('location')!;
    await append(account, other, 9, bytes.subarray(9));
    for (const each of [address, other]) expect((await fileOf(account, each)).bytes.equals(bytes)).toBe(true);
    await expectOrder();
  });

  it('is completed by a HEAD of tus, when all parts have come', async () => {
    const account = await server.account();
    const bytes = someBytes(3000);
    const handle = await chunks.open(account, { size: '3000' });
    await chunks.put(account, handle, 1, bytes.subarray(0, 1000));
    await chunks.put(account, handle, 2, bytes.subarray(1000));
    expect((await fileOf(account, `/v1/uploads/${handle}`)).bytes.equals(bytes)).toBe(true);
    expect((await chunks.complete(account, handle)).json().response).toMatchObject({ size: 3000 });
  });

  it('can be switched at every byte of a small file', async () => {
    const account = await server.account();
    const bytes = someBytes(520);
    for (let cut = 1; cut < bytes.length; cut += isLong ? 1 : 37) {
      const address = await open(account, bytes.length, {}, { name: `cut-${cut}` });
      await append(account, address, 0, bytes.subarray(0, cut));
      const done =
        cut % 2 === 0
          ? await draftAppend(account, address, cut, bytes.subarray(cut))
          : await chunks
              .put(account, handleOf(address), 2, bytes.subarray(cut))
              .then(() => chunks.complete(account, handleOf(address)));
      expect(done.json().response.sha256).toBe(sha256(bytes));
    }
  });
});

describe('partial uploads', () => {
  const partial = { 'Upload-Concat': 'partial' };

  it('become one file in their order, whose bytes are copied nowhere, and spend one use of a token', async () => {
    const account = await server.account();
    const token = { credential: await tokenOf(server, account) };
    const bytes = someBytes(partBytes + 2000);
    const cuts = [0, 5, 900, partBytes, bytes.length];
    const addresses = await Promise.all(
      cuts.slice(1).map(async (to, index) => {
        const piece = bytes.subarray(cuts[index], to);
        const address = await open(token, piece.length, partial, {});
        expect((await append(token, address, 0, piece)).status).toBe(204);
        return address;
      }),
    );
    const asked = await head(token, addresses[0]!);
    expect([asked.headers.get('upload-concat'), asked.headers.get('x-cubby-object')]).toEqual(['partial', null]);
    const concat = `final;${addresses[0]} ${server.running.urls.base}${addresses[1]} ${addresses[2]} ${addresses[3]}`;
    const made = await create(token, { 'Upload-Concat': concat, ...metadataOf({ filename: 'a.bin' }) }, {});
    expect([made.status, made.headers.get('upload-offset')]).toEqual([201, String(bytes.length)]);
    const final = made.headers.get('location')!;
    expect((await head(token, final)).headers.get('upload-concat')).toBe(concat);
    const file = await fileOf({ credential: account.credential }, final);
    expect(file.bytes.equals(bytes)).toBe(true);
    expect(file.info.sha256).toBe(sha256(bytes));
    for (const address of addresses) expect((await head(token, address)).status).toBe(404);
    expect((await create(token, { 'Upload-Length': '600' }, {})).json().code).toBe('UPLOAD_TOKEN_USED');
    await expectOrder();
  });

  it('make no file of their own, nor one that is unfinished, missing or of another account', async () => {
    const account = await server.account();
    const address = await open(account, 700, partial);
    await append(account, address, 0, someBytes(600));
    const concat = (of: string) => create(account, { 'Upload-Concat': `final;${of}` });
    expect((await concat(address)).json().code).toBe('SIZE_MISMATCH');
    await append(account, address, 600, someBytes(100));
    expect((await chunks.complete(account, handleOf(address))).json().code).toBe('INVALID_UPLOAD_TOKEN');
    expect((await head(account, address)).headers.get('x-cubby-object')).toBeNull();
    const whole = await open(account, 600);
    expect((await concat(whole)).json().code).toBe('UPLOAD_NOT_FOUND');
    expect((await concat(`${address} ${address}`)).json().code).toBe('UPLOAD_NOT_FOUND');
    const stranger = await server.account();
    expect((await create(stranger, { 'Upload-Concat': `final;${address}` })).json().code).toBe('UPLOAD_NOT_FOUND');
    expect(await offsetOf(account, address)).toBe(700);
    await expectOrder();
  });

  it('fit into a quota that their file fills', async () => {
    const account = await server.account();
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 1000));
    const address = await open(account, 1000, partial);
    await append(account, address, 0, someBytes(1000));
    expect((await create(account, { 'Upload-Concat': `final;${address}` })).status).toBe(201);
    await expectOrder();
  });
});
