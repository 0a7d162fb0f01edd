import { beforeAll, describe, expect, it } from 'vitest';

import { createApp } from '#server/features/apps/create-app.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import { rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
let appId: string;

beforeAll(async () => {
  appId = (await createApp(watched.server.running.app.stores, { accountId: watched.account.id, name: 'shop' }))!.id;
  const hook = new URL((await set('{"access_token": "token", "secret": "secret"}')).json().response.webhook).pathname;
  for (const branch of ['a', 'b']) {
    await watched.server.send(hook, { method: 'POST', ...deliveryOf('github', 'push', { secret: 'secret', branch }) });
    watched.server.clock.advance(15_000);
  }
});

const set = (body: string | undefined, id = appId) =>
  rawSend(watched.server, {
    method: 'POST',
    path: `/v2/apps/${id}/deploy/webhook`,
    credential: watched.account.credential,
    body,
  });
const list = (query: string, id = appId) =>
  rawSend(watched.server, { path: `/v2/apps/${id}/deployments?${query}`, credential: watched.account.credential });

const badTexts: Readonly<Record<string, string>> = {
  'is null': 'null',
  'is a number': '7',
  'is true': 'true',
  'is a list': '["token"]',
  'is an object': '{}',
  'is empty': '""',
  'is 256 characters long': JSON.stringify('a'.repeat(256)),
  'is overlong': JSON.stringify('a'.repeat(100_000)),
  'holds a newline': '"a\\nb"',
  'holds CRLF and a header': '"a\\r\\nAuthorization: b"',
  'holds a NUL': '"a\\u0000"',
  'holds a tab': '"a\\tb"',
  'holds an escape sequence': '"\\u001b[31m"',
  'holds a delete character': '"a\\u007f"',
  'holds an emoji': '"☁"',
  'holds a letter beyond ASCII': '"é"',
  'is half a character': '"\\ud83d"',
  'is a no-break space': '"\\u00a0"',
};
const goodTexts: Readonly<Record<string, string>> = {
  'is one character': '"a"',
  'is a blank': '" "',
  'is 255 characters long': JSON.stringify('a'.repeat(255)),
  'holds all kinds of signs': '"!\\"#$%&\'()*+,-./:;<=>?@[\\\\]^_`{|}~"',
  'is the text "null"': '"null"',
};

describe('setGitWebhook() with access_token', () => {
  it.each(Object.entries(badTexts))('answers INVALID_ACCESS_TOKEN and changes nothing when it %s', async (_, json) => {
    const answer = await watched.state.unchangedBy(() => set(`{"access_token": ${json}}`));
    expect(answer.json().code).toBe('INVALID_ACCESS_TOKEN');
  });

  it.each(Object.entries(goodTexts))('sets the webhook when it %s', async (_, json) => {
    const answer = await set(`{"access_token": ${json}}`);
    expect(answer.json()).toMatchObject({ status: 'success', response: { webhook: expect.any(String) } });
  });
});

describe('listDeployments()', () => {
  it('accepts its own cursor under either name, but not under both, changed, or of another application', async () => {
    const cursor: string = (await list('limit=1')).json().response.continuationToken;
    for (const field of ['cursor', 'continuationToken'])
      expect((await list(`limit=1&${field}=${cursor}`)).json().response.deployments[0].branch).toBe('a');
    const other = (await createApp(watched.server.running.app.stores, {
      accountId: watched.account.id,
      name: 'other',
    }))!.id;
    const refused = [
      await list(`cursor=${cursor}&continuationToken=${cursor}`),
      await list(`cursor=${cursor}A`),
      await list(`cursor=0${cursor}`),
      await list(`cursor=${cursor}`, other),
    ];
    expect(refused.map((answer) => answer.json().code)).toEqual(Array(4).fill('INVALID_CONTINUATION_TOKEN'));
  });
});

describe('app_id', () => {
  const wrong = [
    'app_1',
    'app_',
    'APP_1',
    `app_${'9'.repeat(18)}`,
    'a'.repeat(64),
    'a'.repeat(65),
    '%00',
    'app_1%00',
    '%ff',
    '%zz',
    '%c3%a9',
    '..%2f..',
    "app_1'--",
    '%20',
    'null',
    '0',
  ];
  it.each(wrong)('answers APP_NOT_FOUND and changes nothing when it is %s', async (id) => {
    for (const ask of [() => list('', id), () => list('', `${id}/x`)]) {
      expect(['APP_NOT_FOUND', 'NOT_FOUND']).toContain((await watched.state.unchangedBy(ask)).json().code);
    }
  });

  it.each(['app_1', '%ff'])('answers APP_NOT_FOUND when it is %s, for any request about its deploys', async (id) => {
    const get = (path: string) => () =>
      rawSend(watched.server, { path: `/v2/apps/${id}/${path}`, credential: watched.account.credential });
    for (const ask of [() => set('{"access_token": "@"}', id), get('deployments/current')])
      expect((await watched.state.unchangedBy(ask)).json().code).toBe('APP_NOT_FOUND');
  });
});
