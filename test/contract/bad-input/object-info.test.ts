import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { Case } from './cases.ts';
import { absentIds, badIds } from './object-ids.ts';
import { rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
let other: TestAccount;

beforeAll(async () => {
  other = await watched.server.account();
  for (const owner of [watched.account, other]) await upload(watched.server, owner);
});

function info(query: string) {
  return rawSend(watched.server, { path: `/v1/objects/info?${query}`, credential: watched.account.credential });
}

/** Names only, because the ids contain accounts that do not exist yet. */
const kinds = (make: typeof badIds) => Object.keys(make('1'.repeat(18), '2'.repeat(18)));

describe('getObjectInfo() with object', () => {
  it.each(kinds(badIds))('answers INVALID_OBJECT when it %s', async (kind) => {
    const id = badIds(watched.account.id, other.id)[kind]!;
    const answer = await watched.state.unchangedBy(() => info(`object=${encodeURIComponent(id)}`));
    expect(answer.json().code).toBe('INVALID_OBJECT');
  });

  it.each<Case>([
    ['is missing', ''],
    ['is empty', 'object='],
    ['has no value', 'object'],
    ['is a blank', 'object=%20'],
    ['is only there in capitals', 'OBJECT=ID'],
    ['is objects', 'objects=ID'],
    ['has its slashes encoded twice', 'object=pub%252FACCOUNT%252Fphoto.png'],
    ['is a JSON string', 'object=%22ID%22'],
    ['is a JSON array', 'object=%5B%22ID%22%5D'],
    ['is a list that begins with another account', 'object=pub/OTHER/photo.png,ID'],
    ['has a plus, which is a blank, before it', 'object=+ID'],
  ])('answers INVALID_OBJECT when it %s', async (_, query) => {
    const filled = query
      .replaceAll('ID', `pub/${watched.account.id}/photo.png`)
      .replaceAll('ACCOUNT', watched.account.id)
      .replaceAll('OTHER', other.id);
    const answer = await watched.state.unchangedBy(() => info(filled));
    expect(answer.json().code).toBe('INVALID_OBJECT');
  });

  it.each(kinds(absentIds))('answers OBJECT_NOT_FOUND when it %s', async (kind) => {
    const answer = await watched.state.unchangedBy(() =>
      info(`object=${encodeURIComponent(absentIds(watched.account.id)[kind]!)}`),
    );
    expect(answer.json().code).toBe('OBJECT_NOT_FOUND');
  });

  it.each([
    ['as it is', 'object=pub/ACCOUNT/photo.png'],
    ['percent-encoded', 'object=pub%2FACCOUNT%2Fphoto.png'],
    ['percent-encoded in lower case', 'object=pub%2fACCOUNT%2fphoto%2epng'],
    ['under an encoded name', '%6fbject=pub/ACCOUNT/photo.png'],
    ['among unknown parameters', 'x=%ff&object=pub/ACCOUNT/photo.png&object[]=b&y=%00&__proto__=c'],
  ])('answers the details when it is sent %s', async (_, query) => {
    const answer = await info(query.replaceAll('ACCOUNT', watched.account.id));
    expect(answer.json()).toMatchObject({ status: 'success', response: { id: `pub/${watched.account.id}/photo.png` } });
  });
});
