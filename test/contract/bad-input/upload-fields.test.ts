import { beforeAll, describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import { multipart, multipartType, smallest } from './multipart.ts';
import { rawSend } from './raw-request.ts';
import { uploadFields } from './upload-fields.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
beforeAll(async () => {
  await upload('name=there');
});

function upload(query: string) {
  const { credential } = watched.account;
  return rawSend(watched.server, {
    method: 'POST',
    path: `/v1/objects?${query}`,
    credential,
    headers: { 'Content-Type': multipartType },
    body: multipart(smallest),
  });
}

describe.each(uploadFields)('uploadObject() with $field', ({ field, code, bad, good }) => {
  const others = field === 'name' ? '' : '&name=photo';

  it.each(bad)(`answers ${code} and stores nothing when it %s`, async (_, query) => {
    const answer = await watched.state.unchangedBy(() => upload(query + others));
    expect(answer.json().code).toBe(code);
  });

  let stored = 0;
  it.each(good)('stores the file when it %s', async (_, query) => {
    const answer = await upload(query + others.replace('photo', `${field}${stored++}`));
    expect(answer.json()).toMatchObject({ status: 'success', response: { size: smallest.length } });
  });
});

describe('uploadObject()', () => {
  it.each(['private=true&security_hash=false', 'private=1&security_hash=0', 'security_hash=false&private=true'])(
    'answers INVALID_OBJECT_SECURITY_HASH to %s, since a private file always carries a hash',
    async (query) => {
      const answer = await watched.state.unchangedBy(() => upload(`name=photo&${query}`));
      expect(answer.json().code).toBe('INVALID_OBJECT_SECURITY_HASH');
    },
  );

  it('names the first wrong parameter in the order of the contract, whatever their order in the query', async () => {
    const answer = await watched.state.unchangedBy(() =>
      upload('checksum_sha256=x&metadata=x&expire=x&prefix=..&name=photo'),
    );
    expect(answer.json().code).toBe('INVALID_OBJECT_PREFIX');
  });

  it('answers no 5xx and stores nothing when every parameter is wrong at once', async () => {
    const query = Object.keys(policies.uploadObject.queryFields)
      .map((field) => `${field}=%ff&${field}=%00`)
      .join('&');
    const answer = await watched.state.unchangedBy(() => upload(query));
    expect(answer.json().code).toBe('INVALID_OBJECT_NAME');
  });

  it.each([
    '%',
    '?name',
    '??name=photo',
    '#name=photo',
    '&',
    '=',
    '%6Eame',
    'name%00=photo',
    'name%20=photo',
    ' name=photo'.replace(' ', '+'),
  ])('answers INVALID_OBJECT_NAME to the query %s', async (query) => {
    const answer = await watched.state.unchangedBy(() => upload(query));
    expect(answer.json().code).toBe('INVALID_OBJECT_NAME');
  });
});
