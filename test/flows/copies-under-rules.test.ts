import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CopyObjectCommand, PutObjectCommand } from '#test/s3/small-client.ts';
import { gatewayOf, startGateway, type Gateway } from '#test/s3/gateway.ts';
import { someBytes, upload } from '#test/support/files.ts';

let main: Gateway;
beforeAll(async () => {
  main = await startGateway();
});
afterAll(() => main.stop());

/** Makes an account with a rule for the prefix `ruled`, and optionally one for a deeper prefix. */
async function under(rule: object, deeper?: object): Promise<Gateway> {
  const from = await gatewayOf(main.server, await main.server.account());
  const rules = [{ prefix: 'ruled', ...rule }, ...(deeper ? [{ prefix: 'ruled/deeper', ...deeper }] : [])];
  const answer = await main.server.send('/v1/account/settings', {
    method: 'PUT',
    credential: from.account.credential,
    body: JSON.stringify({ rules }),
  });
  expect(answer.status).toBe(200);
  return from;
}

async function stored(
  { server, account }: Gateway,
  query: Readonly<Record<string, string>> = {},
  size = 3000,
  filename?: string,
): Promise<string> {
  return (await upload(server, account, { bytes: someBytes(size), query, ...(filename && { filename }) })).json()
    .response.id;
}

async function copy({ server, account }: Gateway, source: string, destination: object, more: object = {}) {
  const answer = await server.send('/v1/objects/copy', {
    method: 'POST',
    credential: account.credential,
    body: JSON.stringify({ source, destination: { name: 'twin', prefix: 'ruled', ...destination }, ...more }),
  });
  return answer.json();
}

describe('a copy over REST', () => {
  it.each([false, true])(
    'is rejected if its size or type is not allowed by the rule of its prefix, also as a move (%s)',
    async (move) => {
      const from = await under({ max_size: 2000, extensions: ['png', 'gz'] }, { max_size: 4000 });
      const large = await stored(from);
      expect(await copy(from, large, {}, { move })).toMatchObject({
        status: 'error',
        code: 'FILE_TOO_LARGE',
        prefix: 'ruled/',
        message: expect.stringContaining('2000'),
      });
      const text = await stored(from, {}, 600, 'a.txt');
      expect(await copy(from, text, {}, { move })).toMatchObject({
        status: 'error',
        code: 'FILE_TYPE_NOT_ALLOWED',
        prefix: 'ruled/',
        message: expect.stringContaining('png'),
      });
      // Both files are unchanged.
      for (const id of [large, text])
        expect(
          (await from.server.send(`/v1/objects/info?object=${id}`, { credential: from.account.credential })).status,
        ).toBe(200);
      // Only the rule with the longest prefix applies. Outside of the prefixes no rule does.
      expect(await copy(from, large, { prefix: 'ruled/deeper' })).toMatchObject({ status: 'success' });
      expect(await copy(from, large, { prefix: 'ruled-not' })).toMatchObject({ status: 'success' });
      expect(await copy(from, large, { prefix: undefined, name: 'root' }, { move })).toMatchObject({
        status: 'success',
      });
      expect(await copy(from, await stored(from, { name: 'packed' }, 2000, 'log-1.gz'), {}, { move })).toMatchObject({
        status: 'success',
      });
    },
  );

  it('is private if the rule of its prefix says so and the request does not set it', async () => {
    const from = await under({ private: true });
    const source = await stored(from);
    expect((await copy(from, source, {})).response).toMatchObject({
      private: true,
      url: null,
      id: expect.stringMatching(/^prv\/[0-9]+\/ruled\/twin_[a-z0-9]{16}\.png$/),
    });
    expect((await copy(from, source, { name: 'shown', private: false })).response).toMatchObject({ private: false });
    expect(await copy(from, source, { security_hash: false })).toMatchObject({
      code: 'INVALID_OBJECT_SECURITY_HASH',
      prefix: 'ruled/',
    });
    expect((await copy(from, source, { name: 'bare', private: false, security_hash: false })).response.id).toMatch(
      /ruled\/bare\.png$/,
    );
    expect((await copy(from, source, {}, { move: true })).response).toMatchObject({ private: true, moved: true });
  });

  it('is never made public by a rule alone', async () => {
    const from = await under({ private: false });
    const source = await stored(from, { private: 'true' });
    expect((await copy(from, source, {})).response).toMatchObject({ private: true });
    expect((await copy(from, source, { private: false })).response).toMatchObject({ private: false });
  });

  it('goes to the root if its prefix is empty', async () => {
    const from = await under({ max_size: 600 });
    expect((await copy(from, await stored(from), { prefix: '' })).response.id).toMatch(/\/twin\.png$/);
  });
});

describe('a copy over S3', () => {
  const copyTo = (from: Gateway, Key: string, CopySource: string, more: object = {}) =>
    from.client.send(new CopyObjectCommand({ Bucket: 'public', Key, CopySource, ...more })).then(
      () => 'copied',
      (error: { name: string; message: string }) => error,
    );

  it('is rejected if its size or type is not allowed by the rule of its prefix, unlike an upload', async () => {
    const from = await under({ max_size: 2000, extensions: ['png'] });
    for (const [key, size] of [
      ['large.png', 2001],
      ['small.txt', 600],
      ['small.png', 2000],
    ] as const)
      await from.client.send(new PutObjectCommand({ Bucket: 'public', Key: key, Body: someBytes(size) }));
    expect(await copyTo(from, 'ruled/a.png', 'public/large.png')).toMatchObject({
      name: 'EntityTooLarge',
      message: expect.stringContaining('2000'),
    });
    expect(await copyTo(from, 'ruled/a.txt', 'public/small.txt')).toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining('png'),
    });
    expect(await copyTo(from, 'ruled/a.PNG', 'public/small.png')).toBe('copied');
    expect(await copyTo(from, 'free/a.txt', 'public/large.png')).toBe('copied');
    await from.client.send(
      new PutObjectCommand({ Bucket: 'public', Key: 'ruled/uploaded.txt', Body: someBytes(3000) }),
    );
    // A copy onto itself that only sets headers brings no new file under the rule.
    expect(
      await copyTo(from, 'ruled/uploaded.txt', 'public/ruled/uploaded.txt', {
        MetadataDirective: 'REPLACE',
        Metadata: { a: 'b' },
      }),
    ).toBe('copied');
  });
});

describe('a paid option', () => {
  it('does not include empty metadata', async () => {
    const account = await main.server.account('hobby');
    const outcome = async (path: string, body?: FormData | string) =>
      (await main.server.send(path, { method: 'POST', credential: account.credential, ...(body && { body }) })).json();
    const form = new FormData();
    form.append('file', new File([someBytes() as Uint8Array<ArrayBuffer>], 'a.png'));
    expect(await outcome('/v1/objects?name=a&metadata=%7B%7D', form)).toMatchObject({ status: 'success' });
    expect(await outcome('/v1/objects/chunked?name=a&metadata=%7B%7D')).toMatchObject({ status: 'success' });
    expect(await outcome('/v1/upload-tokens', '{"metadata":{}}')).toMatchObject({ status: 'success' });
    expect(await outcome('/v1/upload-tokens')).toMatchObject({ status: 'success' });
    expect(await outcome('/v1/objects/chunked?name=a&metadata=%7B%22a%22%3A%22b%22%7D')).toMatchObject({
      code: 'UPGRADE_REQUIRED',
    });
  });
});
