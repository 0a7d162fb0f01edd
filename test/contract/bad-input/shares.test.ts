import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { shareObject, type TestShare } from '#test/support/shares.ts';
import { rawSend } from './raw-request.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
let other: TestAccount;
let object: string;
let share: TestShare;

beforeAll(async () => {
  other = await watched.server.account();
  object = (await upload(watched.server, watched.account, { query: { private: 'true' } })).json().response.id;
  share = await shareObject(watched.server, watched.account, object, { max_downloads: 1, password: 'correct horse' });
});

const ask = (method: string, body: string | undefined) =>
  rawSend(watched.server, { method, path: '/v1/shares', credential: watched.account.credential, body });

describe('deleteShare() with id', () => {
  it('answers SHARE_NOT_FOUND and revokes nothing when it is another account’s', async () => {
    const theirs = (await upload(watched.server, other, { query: { private: 'true' } })).json().response.id;
    const { id } = await shareObject(watched.server, other, theirs);
    expect((await watched.state.unchangedBy(() => ask('DELETE', JSON.stringify({ id })))).json().code).toBe(
      'SHARE_NOT_FOUND',
    );
  });
});

describe('openShare() with share_id', () => {
  const paths: ReadonlyArray<readonly [string, string]> = [
    ['is short', 'a'],
    ['is a NUL', '%00'],
    ['ends with a NUL', 'SHARE%00'],
    ['is not UTF-8', '%ff'],
    ['is broken percent-encoding', '%zz'],
    ['leads upwards', '..%2f..%2fetc'],
    ['holds a slash', 'SHARE%2fa'],
    ['ends with a newline', 'SHARE%0a'],
    ['has a blank behind it', 'SHARE%20'],
    ['is in capitals', 'CAPITALS'],
    ['is overlong', 'a'.repeat(4000)],
    ['is an emoji', '%f0%9f%93%81'],
    ['is a lone surrogate', '%ed%a0%80'],
    ['is a property of every object', '__proto__'],
    ['holds CRLF and a header', 'SHARE%0d%0aSet-Cookie:%20a=b'],
  ];
  it.each(paths)('answers SHARE_NOT_FOUND and spends nothing when it %s', async (_, path) => {
    const id = path.replace('SHARE', share.id).replace('CAPITALS', share.id.toUpperCase());
    const answer = await watched.state.unchangedBy(() => rawSend(watched.server, { door: 'files', path: `/s/${id}` }));
    expect([answer.status, answer.json().code]).toEqual([404, 'SHARE_NOT_FOUND']);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  describe.each(['download', 'preview'])('and %s', (field) => {
    const html = { Accept: 'text/html' };
    let landing: TestShare;
    beforeAll(
      async () =>
        void (landing = await shareObject(
          watched.server,
          watched.account,
          (await upload(watched.server, watched.account, { query: { private: 'true' } })).json().response.id,
          { landing: true },
        )),
    );
    const shown = async (query: string) => {
      const { status, headers } = await watched.state.unchangedByVisit(() =>
        rawSend(watched.server, { door: 'files', path: `${landing.path}?${query}`, headers: html }),
      );
      return `${status} ${headers.get('content-type')}`;
    };

    it.each([
      '=1&FIELD=1',
      '=%00',
      '=%ff',
      '=%zz',
      '',
      '=',
      '=0',
      '=2',
      '=01',
      '=1%00',
      '=1+',
      '=true',
      '=%ef%bc%91',
      `=${'1'.repeat(40)}`,
      '[]=1',
    ])('ignores it when it is given as %s', async (value) => {
      expect(await shown(field + value.replace('FIELD', field))).toMatch(/^200 text\/html/);
    });

    it('accepts 1', async () => expect(await shown(`${field}=1`)).toBe('200 image/png'));
  });

  it.each([
    ['empty', ''],
    ['no pass', 'a'],
    ['no signature', '9999999999999.'],
    ['a forged signature', '9999999999999.AAAA'],
    ['a huge instant', `${'9'.repeat(400)}.AAAA`],
    ['no number', 'NaN.AAAA'],
    ['a prototype', '__proto__'],
  ])('answers SHARE_PASSWORD_REQUIRED when its cookie is %s', async (_, cookie) => {
    const answer = await watched.state.unchangedBy(() =>
      rawSend(watched.server, { door: 'files', path: share.path, headers: { Cookie: `cubby_share=${cookie}` } }),
    );
    expect([answer.status, answer.json().code]).toEqual([401, 'SHARE_PASSWORD_REQUIRED']);
  });
});

describe('submitSharePassword() with password', () => {
  const form = 'application/x-www-form-urlencoded';
  const bodies: ReadonlyArray<readonly [string, string, string]> = [
    ['is missing', form, ''],
    ['is empty', form, 'password='],
    ['has no value', form, 'password'],
    ['is wrong', form, 'password=wrong+password'],
    ['is cut', form, 'password=correct+hors'],
    ['is in capitals', form, 'password=CORRECT+HORSE'],
    ['is a prefix of it with a NUL', form, 'password=correct+horse%00'],
    ['is given twice', form, 'password=correct+horse&password=correct+horse'],
    ['is not UTF-8', form, 'password=%ff'],
    ['is broken percent-encoding', form, 'password=%zz'],
    ['has 1025 characters', form, `password=${'a'.repeat(1025)}`],
    ['is another field', form, 'Password=correct+horse'],
    ['is an array', form, 'password[]=correct+horse'],
    ['is JSON', 'application/json', '{"password":"correct horse"}'],
    ['has a blank before it', form, 'password=+correct+horse'],
  ];
  it.each(bodies)('answers SHARE_PASSWORD_REQUIRED and gives no cookie when it %s', async (_, type, body) => {
    const answer = await watched.state.unchangedBy(() =>
      rawSend(watched.server, {
        door: 'files',
        method: 'POST',
        path: share.path,
        headers: { 'Content-Type': type },
        body,
      }),
    );
    expect([answer.status, answer.json().code]).toEqual([401, 'SHARE_PASSWORD_REQUIRED']);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('answers BODY_TOO_LARGE, and looks at no password, when it is overlong', async () => {
    const answer = await watched.state.unchangedBy(() =>
      rawSend(watched.server, {
        door: 'files',
        method: 'POST',
        path: share.path,
        headers: { 'Content-Type': form },
        body: `password=${'a'.repeat(100_000)}`,
      }),
    );
    expect([answer.status, answer.json().code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it.each(['=1&download=1', '=%00', '=%ff', '=%zz', '', '=', '=0', '=01', '=1%00', '=true', '=%ef%bc%91', '[]=1'])(
    'redirects to the link only when download is given as %s',
    async (value) => {
      const answer = await watched.state.unchangedBy(() =>
        rawSend(watched.server, {
          door: 'files',
          method: 'POST',
          path: `${share.path}?download${value}`,
          headers: { 'Content-Type': form },
          body: 'password=correct+horse',
        }),
      );
      expect([answer.status, answer.headers.get('location')]).toEqual([303, share.url]);
    },
  );

  it('sets a cookie when it is right, beside unknown fields', async () => {
    const answer = await watched.state.unchangedBy(() =>
      rawSend(watched.server, {
        door: 'files',
        method: 'POST',
        path: share.path,
        headers: { 'Content-Type': form },
        body: 'password=correct+horse&more=1',
      }),
    );
    expect(answer.status).toBe(303);
  });
});
