import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rawUpload } from '#test/faults/client.ts';
import { formWith, someBytes, upload, type Upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { heldUses, mint, tokenOf, uploadWith } from '#test/support/upload-tokens.ts';

const rounds = process.env.CUBBY_TEST_LONG === '1' ? 200 : 5;
const parallel = 64;

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const codeOf = (answer: TestAnswer): string => answer.json().code ?? answer.json().status;
const infoOf = async (account: TestAccount, id: string) =>
  (await server.send(`/v1/objects/info?object=${id}`, { credential: account.credential })).json().response;
const filesOf = async (account: TestAccount) =>
  (await server.send('/v1/objects', { credential: account.credential })).json().response.objects;

/** Makes an account and a token with these options, and uploads with the token. */
async function uploadPinned(pins: object, file: Upload = {}) {
  const account = await server.account();
  const answer = await uploadWith(server, await tokenOf(server, account, pins), file);
  return { account, answer, response: answer.json().response };
}

describe('the life of an upload token', () => {
  it('begins with the only response that shows it', async () => {
    const account = await server.account();
    expect((await mint(server, account, { expires_in: 60, max_uses: 2 })).json().response).toEqual({
      token: expect.stringMatching(/^cbup_/),
      expires_at: new Date(server.clock.now() + 60_000).toISOString(),
      max_uses: 2,
    });
  });

  it('continues for as many uploads as it has uses, bare or after Bearer', async () => {
    const token = await tokenOf(server, await server.account(), { max_uses: 2 });
    expect(
      [
        await uploadWith(server, token),
        await uploadWith(server, `Bearer ${token}`),
        await uploadWith(server, token),
      ].map(codeOf),
    ).toEqual(['success', 'success', 'UPLOAD_TOKEN_USED']);
  });

  it('ends at its expiry, whether or not it is used up', async () => {
    const account = await server.account();
    const [fresh, used] = [
      await tokenOf(server, account, { expires_in: 60 }),
      await tokenOf(server, account, { expires_in: 60 }),
    ];
    await uploadWith(server, used);
    server.clock.advance(59_999);
    expect((await uploadWith(server, used)).json().code).toBe('UPLOAD_TOKEN_USED');
    server.clock.advance(1);
    for (const token of [fresh, used]) expect(codeOf(await uploadWith(server, token))).toBe('ACCESS_DENIED');
  });

  it.each([
    ['is revoked', 'DELETE', ''],
    ['gets another secret', 'POST', '/regenerate'],
  ])('ends as soon as its key %s', async (_, method, end) => {
    const account = await server.account();
    const made = (
      await server.send('/v1/account/keys', {
        method: 'POST',
        credential: account.credential,
        body: '{"name":"a","scopes":["blob:write"]}',
      })
    ).json().response;
    const token = await tokenOf(server, { credential: made.key }, { max_uses: 5 });
    expect(codeOf(await uploadWith(server, token))).toBe('success');
    expect(
      (await server.send(`/v1/account/keys/${made.id}${end}`, { method, credential: account.credential })).status,
    ).toBe(200);
    expect(codeOf(await uploadWith(server, token))).toBe('ACCESS_DENIED');
  });

  it('ends when the account loses its plan', async () => {
    const account = await server.account();
    const token = await tokenOf(server, account, { metadata: { a: 'b' }, max_uses: 5 });
    const { metadata } = server.running.app.stores;
    await metadata.atomically((tx) => tx.accounts.setPlan(account.id, 'hobby'));
    expect(codeOf(await uploadWith(server, token))).toBe('UPGRADE_REQUIRED');
    await metadata.atomically((tx) => tx.accounts.setPlan(account.id, 'none'));
    expect(codeOf(await uploadWith(server, token))).toBe('PERMISSION_DENIED');
  });

  it('survives a restart with its remaining uses', async () => {
    const first = await startTestServer();
    const account = await first.account();
    const token = await tokenOf(first, account, { max_uses: 2 });
    await uploadWith(first, token);
    await first.running.stop();
    const second = await startTestServer({ dataDir: first.dataDir });
    expect([await uploadWith(second, token), await uploadWith(second, token)].map(codeOf)).toEqual([
      'success',
      'UPLOAD_TOKEN_USED',
    ]);
  });

  it('appears in the activity as upload_token and in the log by its id, and never with its secret', async () => {
    const { account, answer } = await uploadPinned({});
    const token = await tokenOf(server, account);
    await uploadWith(server, token, { query: {} });
    const { activity } = (await server.send('/v1/account/activity', { credential: account.credential })).json()
      .response;
    expect(activity[0]).toMatchObject({
      type: 'object.uploaded',
      auth: 'upload_token',
      object: answer.json().response.id,
    });
    const line = server.log.find((one) => one.request_id === answer.headers.get('x-request-id'));
    expect(line).toMatchObject({
      account: account.id,
      key: account.keyId,
      upload_token: expect.stringMatching(/^[a-z0-9]{26}$/),
    });
    expect(JSON.stringify(server.log)).not.toMatch(/cbup_/);
    expect(JSON.stringify(server.log)).not.toContain(token.slice(5, 45));
  });
});

describe('a token pins', () => {
  it('no name, so that the browser names the file and the name always gets a hash', async () => {
    for (const query of [{ name: 'mine' }, { name: 'mine', security_hash: 'true' }]) {
      const { response, account } = await uploadPinned({}, { query });
      expect(response).toMatchObject({
        name: 'mine',
        id: expect.stringMatching(new RegExp(`^pub/${account.id}/mine_[a-z0-9]{16}\\.png$`)),
      });
    }
    expect(codeOf((await uploadPinned({}, { query: {} })).answer)).toBe('INVALID_OBJECT_NAME');
    const unhashed = { query: { name: 'mine', security_hash: 'false' } };
    expect(codeOf((await uploadPinned({}, unhashed)).answer)).toBe('INVALID_OBJECT_SECURITY_HASH');
  });

  it("a name, which overrides or replaces the query's, and gets a hash unless that is off", async () => {
    for (const query of [{}, { name: 'other', security_hash: 'false' }]) {
      const { response, account } = await uploadPinned({ name: 'avatar' }, { query });
      expect(response).toMatchObject({
        name: 'avatar',
        id: expect.stringMatching(new RegExp(`^pub/${account.id}/avatar_[a-z0-9]{16}\\.png$`)),
      });
    }
    const account = await server.account();
    const token = await tokenOf(server, account, { name: 'avatar', security_hash: false, max_uses: 2 });
    const answers = [
      await uploadWith(server, token, { query: { security_hash: 'true' } }),
      await uploadWith(server, token, { query: {} }),
    ];
    expect(answers.map((answer) => answer.json().response)).toMatchObject([
      { id: `pub/${account.id}/avatar.png`, replaced: false },
      { id: `pub/${account.id}/avatar.png`, replaced: true },
    ]);
  });

  it('a prefix, and any other prefix gets 403, also a deeper one', async () => {
    const { response, account } = await uploadPinned({ prefix: 'avatars/2026/' });
    expect(response).toMatchObject({
      prefix: 'avatars/2026',
      id: expect.stringMatching(new RegExp(`^pub/${account.id}/avatars/2026/photo_`)),
    });
    for (const prefix of ['avatars/2026', 'avatars/2026/'])
      expect((await uploadPinned({ prefix: 'avatars/2026' }, { query: { name: 'a', prefix } })).response.prefix).toBe(
        'avatars/2026',
      );
    for (const prefix of ['avatars', 'avatars/2026/april', 'x'])
      expect(codeOf((await uploadPinned({ prefix: 'avatars/2026' }, { query: { name: 'a', prefix } })).answer)).toBe(
        'PREFIX_NOT_ALLOWED',
      );
    expect((await uploadPinned({}, { query: { name: 'a', prefix: 'free/' } })).response.prefix).toBe('free');
  });

  it('the visibility', async () => {
    expect((await uploadPinned({ private: true }, { query: { name: 'a', private: 'false' } })).response).toMatchObject({
      private: true,
      url: null,
    });
    expect((await uploadPinned({ private: false }, { query: { name: 'a', private: 'true' } })).response.private).toBe(
      false,
    );
    expect((await uploadPinned({}, { query: { name: 'a', private: 'true' } })).response.private).toBe(true);
  });

  it('the expiry, also no expiry', async () => {
    const expiry = async (pins: object, query = {}) =>
      (await uploadPinned(pins, { query: { name: 'a', ...query } })).response.expires_at;
    const inDays = (days: number) => new Date(server.clock.now() + days * 86_400_000).toISOString();
    expect(await expiry({ expire: 30 }, { expire: '8d' })).toBe(inDays(30));
    expect(await expiry({ expire: null }, { expire: '8d' })).toBeUndefined();
    expect(await expiry({}, { expire: '8d' })).toBe(inDays(8));
  });

  it('the size, announced or not', async () => {
    expect(codeOf((await uploadPinned({ max_size: 2000 }, { bytes: someBytes(2000) })).answer)).toBe('success');
    const { answer } = await uploadPinned({ max_size: 2000 }, { bytes: someBytes(2001) });
    expect([answer.status, answer.json().code, answer.json().message]).toEqual([
      413,
      'FILE_TOO_LARGE',
      expect.stringContaining('2000'),
    ]);
    const token = await tokenOf(server, await server.account(), { max_size: 2000 });
    const form = new Response(formWith(someBytes(60_000)));
    const unannounced = await server.send('/v1/objects?name=a', {
      method: 'POST',
      credential: token,
      headers: { 'Content-Type': form.headers.get('content-type')! },
      body: form.body!,
    });
    expect(codeOf(unannounced)).toBe('FILE_TOO_LARGE');
  });

  it('the extensions, by the whole suffix or its last part, but not blocked types', async () => {
    const pins = { allowed_extensions: ['png', 'gz', 'tar.bz2', 'exe'] };
    const outcome = async (filename: string) => codeOf((await uploadPinned(pins, { filename })).answer);
    for (const filename of ['a.png', 'A.PNG', 'a.tar.gz', 'a.tar.bz2'])
      expect(await outcome(filename), filename).toBe('success');
    for (const filename of ['a.jpg', 'a.bz2', 'a.png.jpg', 'a'])
      expect(await outcome(filename), filename).toBe(filename === 'a' ? 'success' : 'FILE_TYPE_NOT_ALLOWED');
    expect(await outcome('a.exe')).toBe('BLOCKED_FILE_TYPE');
  });

  it("metadata, which is added to the browser's and overrides it", async () => {
    const { account, response } = await uploadPinned(
      { metadata: { customer: 'acme', kind: 'pinned' } },
      { query: { name: 'a', metadata: '{"kind":"free","own":"1"}' } },
    );
    expect((await infoOf(account, response.id)).metadata).toEqual({ customer: 'acme', kind: 'pinned', own: '1' });
    const five = Object.fromEntries([...'abcde'].map((key) => [key, 'v']));
    expect(
      codeOf((await uploadPinned({ metadata: five }, { query: { name: 'a', metadata: '{"f":"v"}' } })).answer),
    ).toBe('INVALID_OBJECT_METADATA');
  });

  it('every option, over an invalid or repeated value in the query', async () => {
    const pins = { name: 'avatar', prefix: 'avatars', private: true, expire: 30, metadata: { a: 'b' } };
    const token = await tokenOf(server, await server.account(), { ...pins, max_uses: 3 });
    const { response } = (
      await uploadWith(server, token, {
        query: { name: '../x', private: 'yes', security_hash: 'no', expire: 'soon', metadata: '{' },
      })
    ).json();
    expect(response).toMatchObject({
      name: 'avatar',
      prefix: 'avatars',
      private: true,
      expires_at: new Date(server.clock.now() + 30 * 86_400_000).toISOString(),
    });
    const twice = await server.send('/v1/objects?name=a&name=b&expire=8&expire=9&metadata={}&metadata={}&prefix=', {
      method: 'POST',
      credential: token,
      body: formWith(someBytes()),
    });
    expect(codeOf(twice)).toBe('success');
    const started = await server.send('/v1/objects/chunked?name=..&private=perhaps&expire=0', {
      method: 'POST',
      credential: token,
    });
    expect(codeOf(started)).toBe('success');
  });

  it('no more than its options, so that wrong values of others are rejected', async () => {
    const outcome = async (pins: object, query: Record<string, string>) =>
      codeOf((await uploadPinned(pins, { query: { name: 'a', ...query } })).answer);
    expect(await outcome({ name: 'b' }, { expire: 'soon' })).toBe('INVALID_OBJECT_EXPIRE');
    expect(await outcome({ private: true }, { metadata: '{' })).toBe('INVALID_OBJECT_METADATA');
    expect(await outcome({ expire: 30 }, { private: 'yes' })).toBe('INVALID_OBJECT_PRIVATE');
    expect(await outcome({}, { security_hash: 'no' })).toBe('INVALID_OBJECT_SECURITY_HASH');
  });

  it('a hash without a name, which its files get in any case', async () => {
    expect((await uploadPinned({ security_hash: true })).response.id).toMatch(/photo_[a-z0-9]{16}\.png$/);
  });

  it('no prefix, if it is empty', async () => {
    const { response } = await uploadPinned({ prefix: '' }, { query: { name: 'a', prefix: 'free' } });
    expect(response.prefix).toBe('free');
  });

  it('the origins, which browsers cannot forge', async () => {
    const token = await tokenOf(server, await server.account(), {
      allowed_origins: ['https://APP.example:443'],
      max_uses: 2,
    });
    expect(codeOf(await uploadWith(server, token, {}, { Origin: 'https://evil.example' }))).toBe('ORIGIN_NOT_ALLOWED');
    expect(codeOf(await uploadWith(server, token, {}, { Origin: 'null' }))).toBe('ORIGIN_NOT_ALLOWED');
    expect(codeOf(await uploadWith(server, token, {}, { Origin: 'https://app.example' }))).toBe('success');
    expect(codeOf(await uploadWith(server, token))).toBe('success');
  });

  it('a prefix within those of a restricted key, which the browser need not send', async () => {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['photos'] });
    for (const body of [{}, { prefix: 'music' }, { prefix: 'photos2' }])
      expect(codeOf(await mint(server, { credential }, body))).toBe('PREFIX_NOT_ALLOWED');
    const token = await tokenOf(server, { credential }, { prefix: 'photos/2026', max_uses: 2 });
    expect((await uploadWith(server, token)).json().response.prefix).toBe('photos/2026');
    expect(codeOf(await uploadWith(server, token, { query: { name: 'a', prefix: 'photos' } }))).toBe(
      'PREFIX_NOT_ALLOWED',
    );
  });
});

describe('a rejected upload gives its use back', () => {
  const large = someBytes(50_000);
  const refusals: ReadonlyArray<readonly [code: string, upload: Upload]> = [
    ['INVALID_FILE_TYPE', { filename: 'photo.p!g' }],
    ['BLOCKED_FILE_TYPE', { filename: 'setup.exe' }],
    ['FILE_TYPE_NOT_ALLOWED', { filename: 'photo.pdf' }],
    ['FILE_TOO_SMALL', { bytes: someBytes(511) }],
    ['FILE_TOO_LARGE', { bytes: someBytes(900_000) }],
    ['CHECKSUM_MISMATCH', { query: { name: 'a', checksum_sha256: '0'.repeat(64) } }],
    ['CHECKSUM_MISMATCH', { bytes: large, query: { name: 'a', checksum_sha256: '0'.repeat(64) } }],
    ['OBJECT_ALREADY_EXISTS', { query: { overwrite: 'false' } }],
    ['INVALID_OBJECT_EXPIRE', { query: { expire: '1y' } }],
    ['STORAGE_QUOTA_EXCEEDED', { bytes: someBytes(200_000) }],
  ];

  it.each(refusals)('with %s', async (code, file) => {
    const account = await server.account();
    expect((await upload(server, account, { query: { name: 'avatar' } })).status).toBe(200);
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 100_000));
    const token = await tokenOf(server, account, {
      name: 'avatar',
      security_hash: false,
      max_size: 300_000,
      allowed_extensions: ['png', 'exe'],
    });
    for (let round = 0; round < 3; round++) expect(codeOf(await uploadWith(server, token, file))).toBe(code);
    expect(codeOf(await uploadWith(server, token, { query: {} }))).toBe('success');
    expect(codeOf(await uploadWith(server, token, { query: {} }))).toBe('UPLOAD_TOKEN_USED');
  });

  it('with a body that is not a form, or holds two files', async () => {
    const token = await tokenOf(server, await server.account());
    expect(codeOf(await server.send('/v1/objects?name=a', { method: 'POST', credential: token, body: 'x' }))).toBe(
      'INVALID_CONTENT_TYPE',
    );
    const form = formWith(large);
    form.append('file', new File(['x'], 'b.png'));
    expect(codeOf(await server.send('/v1/objects?name=a', { method: 'POST', credential: token, body: form }))).toBe(
      'INVALID_CONTENT_TYPE',
    );
    expect(codeOf(await uploadWith(server, token))).toBe('success');
  });

  it.each([5_000, 300_000])('with a connection that breaks in the middle of %s bytes', async (size) => {
    const account = await server.account();
    const token = await tokenOf(server, account);
    for (const rude of [false, true]) {
      const { socket, at, sendUntil } = await rawUpload(
        server.running,
        { ...account, credential: token },
        'cut',
        someBytes(size),
      );
      await sendUntil(at.content + size / 2);
      await expect.poll(() => heldUses(server.dataDir), { timeout: 5000, interval: 10 }).toBe(1);
      expect(codeOf(await uploadWith(server, token))).toBe('UPLOAD_TOKEN_USED');
      if (rude) socket.resetAndDestroy();
      else socket.end();
      await expect.poll(() => heldUses(server.dataDir), { timeout: 5000, interval: 10 }).toBe(0);
    }
    expect(codeOf(await uploadWith(server, token))).toBe('success');
  });
});

describe(
  `${parallel} uploads at once with a token of three uses (${rounds} rounds)`,
  { timeout: 60_000 + rounds * 2_000 },
  () => {
    it('store exactly three files', async () => {
      const account = await server.account();
      for (let round = 0; round < rounds; round++) {
        const token = await tokenOf(server, account, { prefix: `round-${round}`, max_uses: 3 });
        const answers = await Promise.all(
          Array.from({ length: parallel }, (_, at) =>
            uploadWith(server, token, { bytes: someBytes(at % 4 ? 600 : 20_000) }),
          ),
        );
        expect(answers.map(codeOf).toSorted()).toEqual([
          ...Array(parallel - 3).fill('UPLOAD_TOKEN_USED'),
          ...Array(3).fill('success'),
        ]);
      }
      expect(await filesOf(account)).toHaveLength(3 * rounds);
    });

    it('store exactly three files in the end, whatever fails in between', async () => {
      const account = await server.account();
      for (let round = 0; round < rounds; round++) {
        const token = await tokenOf(server, account, { prefix: `round-${round}`, max_uses: 3 });
        const bad = [
          { bytes: someBytes(511) },
          { query: { name: 'a', checksum_sha256: '0'.repeat(64) } },
          { bytes: someBytes(20_000), query: { name: 'a', checksum_sha256: '0'.repeat(64) } },
        ];
        const answers = await Promise.all(
          Array.from({ length: parallel }, (_, at) => uploadWith(server, token, at % 2 ? bad[at % 3] : {})),
        );
        let stored = answers.map(codeOf).filter((code) => code === 'success').length;
        expect(stored).toBeLessThanOrEqual(3);
        for (; stored < 3; stored++) expect(codeOf(await uploadWith(server, token))).toBe('success');
        expect(codeOf(await uploadWith(server, token))).toBe('UPLOAD_TOKEN_USED');
      }
      expect(await filesOf(account)).toHaveLength(3 * rounds);
    });
  },
);
