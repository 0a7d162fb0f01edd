import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sign } from '#dist/modules/client/index.js';
import { imageSigningKey } from '#server/features/images/signing-key.ts';
import { testKeyEncryptionKey } from '#test/support/decrypted.ts';
import { eventually } from '#test/support/eventually.ts';
import { upload } from '#test/support/files.ts';
import { aboutImage, picture, sidewaysPhoto } from '#test/support/images.ts';
import { shortestHoldMs } from '#test/support/loop-hold.ts';
import { dayMs, reloadKeysEveryMs, rotate } from '#test/support/rotation.ts';
import { listShares, remainingOf, shareObject } from '#test/support/shares.ts';
import { startTestServer, type TestAccount, type TestRequest, type TestServer } from '#test/support/server.ts';

const env = {
  CUBBY_IMAGE_VARIANTS: 'on',
  CUBBY_IMAGE_PRESETS: 'thumb:w=100&h=100&fit=cover&f=jpeg, wide:w=200',
};

let server: TestServer;
let account: TestAccount;
let photo: Buffer;
beforeAll(async () => {
  server = await startTestServer({ env });
  account = await server.account();
  photo = await sidewaysPhoto();
});
afterAll(() => server.stop());

let files = 0;

/** Stores a file, and returns its path on the public host, or on the files host. */
async function stored(
  bytes: Uint8Array = photo,
  { filename = 'photo.jpg', isPrivate = false, on = server, by = account } = {},
) {
  const query = { name: `file-${++files}`, private: String(isPrivate) };
  const { id, url } = (await upload(on, by, { bytes, filename, query })).json().response;
  if (!isPrivate) return { id, path: new URL(url).pathname, door: 'public' as const };
  const link = await on.send(`/v1/objects/download?object=${id}&redirect=false`, { credential: by.credential });
  return { id, path: new URL(link.json().response.url).pathname, door: 'files' as const };
}

type Stored = Awaited<ReturnType<typeof stored>>;

const get = ({ path, door }: Pick<Stored, 'path' | 'door'>, query: string, request: TestRequest = {}, on = server) =>
  on.send(path + query, { door, ...request });

/** Signs as a program without our client does. */
function signed(path: string, variant: string, by = account, on = server): string {
  const key = imageSigningKey(on.running.app.stores.secrets, by.id);
  return `?${variant}&sig=${createHmac('sha256', key).update(`${path}?${variant}`).digest('base64url')}`;
}

const keyOf = async (credential: string): Promise<string> =>
  (await server.send('/v1/account/image-key', { credential })).json().response.key;

const sizeOf = async (bytes: Uint8Array) => {
  const { format, width, height } = await aboutImage(bytes);
  return [format, width, height];
};

describe('a signature', () => {
  it('stays valid for the grace period after a rotation of the master key', async () => {
    const rotating = await startTestServer({ env, ownStores: true, reloadKeysEveryMs });
    const by = await rotating.account();
    const file = await stored(photo, { on: rotating, by });
    const before = signed(file.path, 'w=31&fit=contain&f=jpeg', by, rotating);
    const status = async (query: string) => (await get(file, query, {}, rotating)).status;
    expect(await status(before)).toBe(200);
    await rotate(rotating);
    await eventually(async () => {
      expect(signed(file.path, 'w=31&fit=contain&f=jpeg', by, rotating)).not.toBe(before);
    });
    expect(await status(before)).toBe(200);
    expect(await status(signed(file.path, 'w=32&fit=contain&f=jpeg', by, rotating))).toBe(200);
    rotating.clock.advance(2 * dayMs + 1);
    expect(await status(before)).toBe(403);
  });
});

describe('the cache of variants', () => {
  it.each([
    ['plain', {}],
    ['encrypted', { CUBBY_KEY_ENCRYPTION_KEY: testKeyEncryptionKey }],
  ])('survives a restart, %s', async (name, keys) => {
    const first = await startTestServer({ env: { ...env, ...keys }, ownStores: true });
    const by = await first.account();
    const file = await stored(await picture(500, 500).png().toBuffer(), { filename: 'a.png', on: first, by });
    const { dataDir } = first;
    const made = await get(file, '?preset=thumb', {}, first);
    expect([made.status, made.body.toString('latin1', 0, 3)], made.body.toString('latin1', 0, 200)).toEqual([
      200,
      '\xff\xd8\xff',
    ]);
    const names = (await readdir(join(dataDir, 'variants'), { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    expect(names).toHaveLength(1);
    const bytes = await readFile(join(names[0]!.parentPath, names[0]!.name));
    expect(bytes.includes(made.body.subarray(0, 64))).toBe(name === 'plain');

    const { metadata, blobs } = first.running.app.stores;
    expect([metadata, blobs]).toHaveLength(2);
    const opened: string[] = [];
    const again = await startTestServerAgain(first, { ...env, ...keys }, opened);
    const served = await get(file, '?preset=thumb', {}, again);
    expect([served.body.equals(made.body), opened]).toEqual([true, []]);
    // Off, nothing of it stays.
    await again.running.stop();
    const off = await startTestServer({ env: keys, dataDir, ownStores: true });
    await eventually(async () => expect(await readdir(dataDir)).not.toContain('variants'));
    await off.stop();
  });
});

/** Stops a server and starts it again. It notes the blobs that are opened. */
async function startTestServerAgain(
  first: TestServer,
  settings: Record<string, string>,
  opened: string[],
): Promise<TestServer> {
  await first.running.stop();
  return startTestServer({
    env: settings,
    dataDir: first.dataDir,
    ownStores: true,
    blobs: (real) =>
      new Proxy(real, {
        get: (target, property) => {
          if (property !== 'open') return Reflect.get(target, property).bind?.(target) ?? Reflect.get(target, property);
          return (blobId: string, ...rest: []) => {
            opened.push(blobId);
            return target.open(blobId, ...rest);
          };
        },
      }),
  });
}

describe('a server that makes variants', () => {
  it('holds its event loop for less than 50 ms', async () => {
    const large = await picture(3000, 2000).jpeg().toBuffer();
    let size = 300;
    const file = await stored(large);
    const hold = await shortestHoldMs(async () => {
      const variant = `w=${++size}&fit=contain&f=webp`;
      expect((await get(file, signed(file.path, variant))).status).toBe(200);
    });
    expect(hold).toBeLessThan(50);
  });

  it('makes each once, however many ask at the same time', async () => {
    const file = await stored(await sharp(photo).resize(1500).png().toBuffer(), { filename: 'large.png' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => get(file, '?preset=thumb')));
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('etag')}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
  });
});

describe('presets of an account', () => {
  const replace = (by: TestAccount, image_presets: unknown) =>
    server.send('/v1/account/settings', {
      method: 'PUT',
      credential: by.credential,
      body: JSON.stringify({ image_presets }),
    });

  it('are kept beside the rules, and returned as they are in force', async () => {
    const by = await server.account();
    const settings = async () =>
      (await server.send('/v1/account/settings', { credential: by.credential })).json().response;
    expect((await settings()).image_presets).toEqual([]);
    const rules = [{ prefix: 'kept', private: true }];
    await server.send('/v1/account/settings', {
      method: 'PUT',
      credential: by.credential,
      body: JSON.stringify({ rules, image_presets: [{ name: 'tiny', w: 16 }] }),
    });
    const tiny = { name: 'tiny', w: 16, fit: 'contain', f: 'auto' };
    expect(await settings()).toMatchObject({ rules: [{ prefix: 'kept/', private: true }], image_presets: [tiny] });
    const whole = { name: 'a', w: 1, h: 2, fit: 'cover', q: 3, f: 'png' };
    expect((await replace(by, [{ name: 'tiny', w: 16 }, whole])).json().response).toMatchObject({
      rules: [{ prefix: 'kept/' }],
      image_presets: [whole, tiny],
    });
    const twice = await replace(by, [whole, { ...whole, w: 5 }]);
    expect([twice.status, twice.json().code, twice.json().message]).toEqual([
      400,
      'INVALID_IMAGE_PRESETS',
      expect.stringContaining('the same name'),
    ]);
    expect((await settings()).image_presets).toEqual([whole, tiny]);
    expect((await replace(by, [])).json().response.image_presets).toEqual([]);
    const { activity } = (await server.send('/v1/account/activity', { credential: by.credential })).json().response;
    expect(activity[0]).toMatchObject({ type: 'image_presets.changed', details: { image_presets: [] } });
  });

  it.each([false, true])(
    'are served like those of the operator, and take their place, private: %s',
    async (isPrivate) => {
      const [by, other] = [await server.account(), await server.account()];
      const [own, others] = [await stored(photo, { isPrivate, by }), await stored(photo, { isPrivate, by: other })];
      await replace(by, [
        { name: 'tiny', w: 15 },
        { name: 'thumb', w: 60, f: 'png' },
      ]);
      expect(await sizeOf((await get(own, '?preset=tiny')).body)).toEqual(['jpeg', 15, 20]);
      expect(await sizeOf((await get(own, '?w=15')).body)).toEqual(['jpeg', 15, 20]);
      expect(await sizeOf((await get(own, '?preset=thumb')).body)).toEqual(['png', 60, 80]);
      expect(await sizeOf((await get(own, '?preset=wide')).body)).toEqual(['jpeg', 200, 267]);
      expect((await get(own, '?w=100&h=100&fit=cover&f=jpeg')).status).toBe(403);
      expect((await get(others, '?preset=tiny')).status).toBe(400);
      expect(await sizeOf((await get(others, '?preset=thumb')).body)).toEqual(['jpeg', 100, 100]);
    },
  );

  it('that are changed or removed make their variants unreachable at once', async () => {
    const by = await server.account();
    const file = await stored(photo, { by });
    await replace(by, [{ name: 'tiny', w: 15 }]);
    expect((await get(file, '?preset=tiny')).status).toBe(200);
    await replace(by, [{ name: 'tiny', w: 18 }]);
    expect(await sizeOf((await get(file, '?preset=tiny')).body)).toEqual(['jpeg', 18, 24]);
    expect((await get(file, '?w=15')).status).toBe(403);
    await replace(by, []);
    expect((await get(file, '?preset=tiny')).status).toBe(400);
    expect((await get(file, '?w=18')).status).toBe(403);
  });
});

describe('variants at share links', () => {
  const shared = async (isPrivate: boolean, body: object = {}, on = server, by = account) => {
    const { id: object } = await stored(photo, { isPrivate, on, by });
    return { ...(await shareObject(on, by, object, { ...body })), door: 'files' as const };
  };

  it.each([false, true])('are those of presets and signatures, private: %s', async (isPrivate) => {
    const link = await shared(isPrivate);
    const named = await get(link, '?preset=thumb');
    expect([named.status, named.headers.get('content-type'), named.headers.get('x-cubby-receipt')]).toEqual([
      200,
      'image/jpeg',
      null,
    ]);
    expect(named.headers.get('content-disposition')).toBe('attachment; filename=photo.jpg');
    expect(await sizeOf(named.body)).toEqual(['jpeg', 100, 100]);
    expect(await sizeOf((await get(link, '?w=200')).body)).toEqual(['jpeg', 200, 267]);
    expect((await get(link, '?w=33')).status).toBe(403);
    expect((await get(link, '?preset=nope')).status).toBe(400);
    const address = new URL(await sign(link.url, { w: 33, f: 'png' }, await keyOf(account.credential)));
    expect(await sizeOf((await get(link, address.search)).body)).toEqual(['png', 33, 44]);
    expect((await get(await shared(isPrivate), address.search)).status).toBe(403);
    const plain = await get(link, '?download=1');
    expect(plain.status).toBe(isPrivate ? 200 : 302);
    const etag = named.headers.get('etag')!;
    expect((await get(link, '?preset=thumb', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const part = await get(link, '?preset=thumb', { headers: { Range: 'bytes=5-9' } });
    expect(part.body.equals(named.body.subarray(5, 10))).toBe(true);
  });

  it('count as downloads, and not if they are refused', async () => {
    const link = await shared(true);
    const downloads = async () =>
      (await listShares(server, account)).find(({ id }: { id: string }) => id === link.id).downloads;
    await get(link, '?preset=thumb');
    await eventually(async () => expect(await downloads()).toBe(1));
    for (const query of ['?w=33', '?preset=nope']) await get(link, query);
    await get(link, '?preset=thumb', { method: 'HEAD' });
    await get(link, '?preset=wide');
    await eventually(async () => expect(await downloads()).toBe(2));
  });

  it('are refused by links with a cap, which spend nothing', async () => {
    for (const isPrivate of [false, true]) {
      const link = await shared(isPrivate, { max_downloads: 1 });
      const refused = await get(link, '?preset=thumb');
      expect([refused.status, refused.json().code, refused.json().message]).toEqual([
        400,
        'INVALID_IMAGE_VARIANT',
        expect.stringContaining('counts its downloads'),
      ]);
      expect(await remainingOf(server, account, link)).toBe(1);
      expect((await get(link, '')).status).toBe(isPrivate ? 200 : 302);
    }
  });

  it('need the password of their link, and end with it', async () => {
    const link = await shared(true, { password: 'correct horse' });
    expect((await get(link, '?preset=thumb')).status).toBe(401);
    const ended = await shared(true);
    await server.send('/v1/shares', {
      method: 'DELETE',
      credential: account.credential,
      body: JSON.stringify({ id: ended.id }),
    });
    expect((await get(ended, '?preset=thumb')).status).toBe(404);
  });

  it('are ignored while variants are off', async () => {
    const off = await startTestServer();
    const by = await off.account();
    for (const body of [{}, { max_downloads: 1 }]) {
      const answer = await get(await shared(true, body, off, by), '?preset=thumb', {}, off);
      expect([answer.status, answer.body.equals(photo)]).toEqual([200, true]);
    }
  });
});
