import { describe, expect, it } from 'vitest';

import { rawSend } from './raw-request.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer();

const mint = (body: string | undefined, credential = watched.account.credential) =>
  rawSend(watched.server, { method: 'POST', path: '/v1/upload-tokens', credential, body });
const mintWith = (body: unknown) => mint(JSON.stringify(body));

describe('createUploadToken()', () => {
  it.each([undefined, '', ' ', '\r\n'])('mints a token that pins nothing when its body is %j', async (body) => {
    expect((await mint(body)).json().response).toMatchObject({
      max_uses: 1,
      expires_at: new Date(watched.server.clock.now() + 900_000).toISOString(),
    });
  });

  it.each([
    ['no hash without a name', { security_hash: false }],
    ['no hash on a private file', { name: 'a', private: true, security_hash: false }],
  ])('answers INVALID_OBJECT_SECURITY_HASH and mints nothing for %s', async (_, body) => {
    expect((await watched.state.unchangedBy(() => mintWith(body))).json().code).toBe('INVALID_OBJECT_SECURITY_HASH');
  });

  it('accepts up to 2048 bytes of compact JSON, not counting uses, seconds and ignored fields', async () => {
    const fill = (bytes: number) => {
      const body = {
        allowed_origins: Array.from(
          { length: 9 },
          (_, at) => `https://${`${at}`.repeat(63)}.${'a'.repeat(63)}.${'b'.repeat(63)}.ccccccccc`,
        ),
        name: '',
      };
      return {
        ...body,
        name: 'n'.repeat(bytes - JSON.stringify(body).length),
        expires_in: 3600,
        max_uses: 100,
        token: 'x'.repeat(5000),
      };
    };
    expect(fill(2048).name.length).toBeLessThanOrEqual(128);
    expect((await mintWith(fill(2048))).status).toBe(200);
    expect((await mint(JSON.stringify(fill(2048), null, 8))).status).toBe(200);
    expect((await watched.state.unchangedBy(() => mintWith(fill(2049)))).json().code).toBe('UPLOAD_TOKEN_TOO_LARGE');
  });

  it('ignores the fields that only responses have', async () => {
    const { response } = (await mintWith({ token: 'cbup_mine', expires_at: '2099-01-01T00:00:00.000Z' })).json();
    expect(response).toEqual({
      token: expect.stringMatching(/^cbup_[0-9A-Za-z]{46}$/),
      expires_at: new Date(watched.server.clock.now() + 900_000).toISOString(),
      max_uses: 1,
    });
  });

  it('reads JSON whatever its Content-Type says', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await rawSend(watched.server, {
      method: 'POST',
      path: '/v1/upload-tokens',
      credential: watched.account.credential,
      headers,
      body: '{"max_uses":7}',
    });
    expect(answer.json().response.max_uses).toBe(7);
  });
});
