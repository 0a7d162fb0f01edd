import { beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();

beforeAll(async () => {
  for (const name of ['a', 'b']) await upload(watched.server, watched.account, { query: { name } });
});

const list = (query: string, { credential } = watched.account) =>
  rawSend(watched.server, { path: `/v1/account/activity?${query}`, credential });

describe('listActivity()', () => {
  it('accepts its own cursor under either name, but not under both, changed, or of another account', async () => {
    const cursor: string = (await list('limit=1')).json().response.continuationToken;
    for (const field of ['cursor', 'continuationToken'])
      expect((await list(`limit=1&${field}=${cursor}`)).json().response.activity[0].object).toBe(
        `pub/${watched.account.id}/a.png`,
      );
    const other = await watched.server.account();
    const refused = [
      await list(`cursor=${cursor}&continuationToken=${cursor}`),
      await list(`cursor=${cursor}A`),
      await list(`cursor=0${cursor}`),
      await list(`cursor=${cursor}`, other),
    ];
    expect(refused.map((answer) => answer.json().code)).toEqual(Array(4).fill('INVALID_CONTINUATION_TOKEN'));
  });

  it('reports a wrong field before a plan that lacks the operation', async () => {
    const hobby = await watched.server.account('hobby');
    expect((await list('limit=0', hobby)).json().code).toBe('INVALID_LIMIT');
    expect((await list('cursor=a&continuationToken=a', hobby)).json().code).toBe('INVALID_CONTINUATION_TOKEN');
    expect((await list('', hobby)).json().code).toBe('UPGRADE_REQUIRED');
  });
});
