import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { integerField } from './cases.ts';
import { cursorField } from './list-fields.ts';
import { rawSend } from './raw-request.ts';
import { StoredState } from './stored-state.ts';

const fields = [
  integerField('limit', 'INVALID_LIMIT', { minimum: 1, maximum: 100 }),
  cursorField('cursor'),
  cursorField('continuationToken'),
];

let server: TestServer;
let account: TestAccount;
let state: StoredState;

beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  state = new StoredState(server);
  for (const name of ['a', 'b']) await upload(server, account, { query: { name } });
});
afterAll(async () => {
  state.close();
  await server.stop();
});

const list = (query: string, { credential } = account) => rawSend(server, { path: `/v1/account/activity?${query}`, credential });

describe.each(fields)('listActivity() with $field', ({ code, bad, good }) => {
  it.each(bad)(`answers ${code} and changes nothing when it %s`, async (_, query) => {
    const answer = await state.unchangedBy(() => list(query));
    expect(answer.json().code).toBe(code);
  });

  it.each(good)('answers a page when it %s', async (_, query) => {
    const answer = await state.unchangedBy(() => list(query));
    expect(answer.json()).toMatchObject({ status: 'success', response: { activity: expect.any(Array) } });
  });
});

describe('listActivity()', () => {
  it('takes its own cursor under either name, but not under both, not changed, and not of another account', async () => {
    const cursor: string = (await list('limit=1')).json().response.continuationToken;
    for (const field of ['cursor', 'continuationToken']) expect((await list(`limit=1&${field}=${cursor}`)).json().response.activity[0].object).toBe(`pub/${account.id}/a.png`);
    const other = await server.account();
    const refused = [await list(`cursor=${cursor}&continuationToken=${cursor}`), await list(`cursor=${cursor}A`), await list(`cursor=0${cursor}`), await list(`cursor=${cursor}`, other)];
    expect(refused.map((answer) => answer.json().code)).toEqual(Array(4).fill('INVALID_CONTINUATION_TOKEN'));
  });

  it('names a wrong field before the plan that lacks it', async () => {
    const hobby = await server.account('hobby');
    expect((await list('limit=0', hobby)).json().code).toBe('INVALID_LIMIT');
    expect((await list('cursor=a&continuationToken=a', hobby)).json().code).toBe('INVALID_CONTINUATION_TOKEN');
    expect((await list('', hobby)).json().code).toBe('UPGRADE_REQUIRED');
  });
});
