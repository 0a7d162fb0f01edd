import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { forgetUploadTokens } from '#server/features/upload-tokens/forget-upload-tokens.ts';
import { chunking } from '#test/support/chunked.ts';
import { someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

const parallel = 64;
const hourMs = 3_600_000;

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const { start, open, put, complete, abort, status, list } = chunking(() => server);
const codeOf = (answer: TestAnswer): string => answer.json().code ?? answer.json().status;

/** Returns an account, a token with one use, and the upload that the token opened. */
async function opened(pins: object = {}) {
  const account = await server.account();
  const token = { credential: await tokenOf(server, account, pins) };
  return { account, token, upload: await open(token) };
}

describe('a token and its chunked uploads', () => {
  it('spends a use on the start, and none on parts and completion', async () => {
    const { token, upload } = await opened({ prefix: 'videos', max_size: 6_000_000 });
    expect(codeOf(await start(token))).toBe('UPLOAD_TOKEN_USED');
    expect(
      [
        await put(token, upload, 1, someBytes(600)),
        await put(token, upload, 1, someBytes(700)),
        await status(token, upload),
        await complete(token, upload),
      ].map(codeOf),
    ).toEqual(Array(4).fill('success'));
  });

  it('spends no use on a rejected start', async () => {
    const token = {
      credential: await tokenOf(server, await server.account(), { max_size: 1_000_000, allowed_extensions: ['bin'] }),
    };
    for (const [code, query] of Object.entries({
      FILE_TOO_LARGE: { size: '1000001' },
      FILE_TYPE_NOT_ALLOWED: { filename: 'a.png' },
      INVALID_OBJECT_EXPIRE: { expire: '1y' },
    }))
      expect(codeOf(await start(token, query as {}))).toBe(code);
    expect(codeOf(await start(token))).toBe('success');
  });

  it('opens exactly as many uploads as it has uses, with many starts at once', async () => {
    const token = { credential: await tokenOf(server, await server.account(), { max_uses: 3 }) };
    const answers = await Promise.all(Array.from({ length: parallel }, () => start(token)));
    expect(answers.map(codeOf).toSorted()).toEqual([
      ...Array(parallel - 3).fill('UPLOAD_TOKEN_USED'),
      ...Array(3).fill('success'),
    ]);
  });

  it('continues when it is used up and expired, also after the job that deletes tokens has run', async () => {
    const { token, upload } = await opened({ expires_in: 60 });
    for (let day = 0; day < 4; day++) {
      server.clock.advance(23 * hourMs);
      await forgetUploadTokens(server.running.app.stores, server.clock.now());
      expect(codeOf(await put(token, upload, 1, someBytes(600)))).toBe('success');
    }
    expect(codeOf(await start(token))).toBe('ACCESS_DENIED');
    expect([await status(token, upload), await complete(token, upload)].map(codeOf)).toEqual(['success', 'success']);
  });

  it.each([
    ['is revoked', 'DELETE', ''],
    ['gets another secret', 'POST', '/regenerate'],
  ])('stops as soon as its key %s', async (_, method, end) => {
    const account = await server.account();
    const made = (
      await server.send('/v1/account/keys', {
        method: 'POST',
        credential: account.credential,
        body: '{"name":"a","scopes":["blob:write"]}',
      })
    ).json().response;
    const token = { credential: await tokenOf(server, { credential: made.key }) };
    const upload = await open(token);
    await server.send(`/v1/account/keys/${made.id}${end}`, { method, credential: account.credential });
    const answers = [
      await put(token, upload, 1, someBytes(600)),
      await status(token, upload),
      await complete(token, upload),
      await abort(token, upload),
      await start(token),
    ];
    expect(answers.map(codeOf)).toEqual(Array(5).fill('ACCESS_DENIED'));
    expect(codeOf(await abort(account, upload))).toBe('success');
  });

  it('cannot access uploads of another token or of the key, nor the list', async () => {
    const { account, token, upload } = await opened();
    const foreign = { credential: await tokenOf(server, account) };
    const own = await open(account);
    for (const [asking, one] of [
      [foreign, upload],
      [token, own],
    ] as const) {
      expect(
        [
          await put(asking, one, 1, someBytes(600)),
          await status(asking, one),
          await complete(asking, one),
          await abort(asking, one),
        ].map(codeOf),
      ).toEqual(Array(4).fill('INVALID_UPLOAD_TOKEN'));
    }
    expect(codeOf(await list(token))).toBe('UPLOAD_TOKEN_NOT_ALLOWED');
    expect(codeOf(await status(account, upload))).toBe('success');
  });

  it('checks its origins in every operation', async () => {
    const { token, upload } = await opened({ allowed_origins: ['https://app.example'] });
    const from = (Origin: string) =>
      server.send(`/v1/objects/chunked?upload=${encodeURIComponent(upload)}`, { ...token, headers: { Origin } });
    expect([await from('https://evil.example'), await from('https://app.example')].map(codeOf)).toEqual([
      'ORIGIN_NOT_ALLOWED',
      'success',
    ]);
  });

  it('of a restricted key can continue without the prefix in the request', async () => {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['videos'] });
    const token = { credential: await tokenOf(server, { credential }, { prefix: 'videos/2026' }) };
    const upload = await open(token);
    expect([await put(token, upload, 1, someBytes(600)), await complete(token, upload)].map(codeOf)).toEqual([
      'success',
      'success',
    ]);
  });
});
