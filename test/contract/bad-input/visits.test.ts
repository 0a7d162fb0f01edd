import { beforeAll, describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import { createRequest } from '#test/support/file-requests.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { gitHooks } from '#test/support/git-hooks.ts';
import { openedUpload } from '#test/support/sent-uploads.ts';
import { browserAccept, createShare, shareFile } from '#test/support/shares.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer();

/** Addresses that open something for everybody who knows them, by their path. Mails, chats and histories hold them. */
let addresses: Readonly<Record<string, readonly string[]>>;
let cookie: string;
beforeAll(async () => {
  const { server, account } = watched;
  const { credential } = account;
  const send = async (path: string, body?: object) =>
    (await server.send(path, body ? { method: 'POST', credential, body: JSON.stringify(body) } : { credential })).json()
      .response;
  const file = { bytes: someBytes() };
  const shared = async (body: Readonly<Record<string, unknown>>) =>
    (await shareFile(server, account, { file, body })).path;
  const capped = { max_downloads: 1, landing: true };
  const { id } = (await upload(server, account, { ...file, query: { prefix: 'all', private: 'true' } })).json()
    .response;
  const opened = (await upload(server, account, file)).json().response;
  const temporary = await send(`/v1/objects/download?${new URLSearchParams({ object: id, redirect: 'false' })}`);
  const bundle = (await createShare(server, account, { prefix: 'all', max_downloads: 1 })).json().response;
  const request = await createRequest(server, account);
  const sent = await openedUpload(server, request, { size: 3000 });
  cookie = sent.cookie;
  const { id: appId } = (await createApp(server.running.app.stores, { accountId: account.id, name: 'shop' }))!;
  const hook = await send(`/v2/apps/${appId}/deploy/hook`, { repository: 'https://git.invalid/a.git' });
  const pathOf = (url: string) => new URL(url).pathname;
  addresses = {
    '/d/{token}': [pathOf(temporary.url)],
    '/s/{share_id}': [
      await shared({}),
      await shared({ landing: true }),
      await shared(capped),
      await shared({ ...capped, password: 'correct horse' }),
      pathOf(bundle.url),
    ],
    '/r/{request_token}': [request.path],
    '/r/{request_token}/password': [`${request.path}/password`],
    '/r/{request_token}/sent': [`${request.path}/sent`],
    '/r/{request_token}/receipt': [`${request.path}/receipt`],
    '/r/{request_token}/uploads': [`${request.path}/uploads`],
    '/r/{request_token}/uploads/{upload}': [sent.path],
    '/{account_id}/{key}': [pathOf(opened.url)],
    '/v2/deploy/hook/{hook}': [pathOf(hook.url)],
    '/v2/git/webhook/{webhook}': [(await gitHooks(server, account).newHook()).hook],
    '/activate': ['/activate', '/activate?done=approved', '/activate?user_code=BCDF-GHJK', '/activate?action=approve'],
    '/v2/auth/device': ['/v2/auth/device'],
    '/v2/auth/device/token': ['/v2/auth/device/token'],
    '/v1/sessions': ['/v1/sessions'],
    '/v2/operator/session': ['/v2/operator/session'],
    '/v1/receipts/keys': ['/v1/receipts/keys'],
    '/livez': ['/livez'],
    '/readyz': ['/readyz'],
    '/metrics': ['/metrics'],
  };
});

/** Programs that open an address although no person asked for what is behind it. */
const programs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a program': { Accept: '*/*' },
  'a scanner in the name of a browser': { Accept: browserAccept, 'Sec-Fetch-Mode': 'navigate', Range: 'bytes=0-' },
  'a prefetch': { Accept: browserAccept, 'Sec-Purpose': 'prefetch' },
  'a link preview': { 'User-Agent': 'Slackbot-LinkExpanding 1.0', Accept: '*/*' },
};

const free = Object.values<OperationPolicy>(policies).filter(({ credentials }) => credentials.length === 0);

describe('A request that no person made', () => {
  it('is tried at every path that needs no credential', () => {
    expect(Object.keys(addresses).toSorted()).toEqual([...new Set(free.map(({ path }) => path))].toSorted());
  });

  it.each([...new Map(free.map(({ path, door }) => [path, door]))])(
    'to %s spends, decides and uses up nothing',
    async (path, door) => {
      // Only the pages of links have parameters that ask for bytes.
      const queries = path === '/s/{share_id}' ? ['', '?download=1', '?file=1'] : [''];
      const targets = addresses[path]!.flatMap((address) => queries.map((query) => address + query));
      for (const target of targets)
        for (const program of Object.values(programs))
          for (const method of ['GET', 'HEAD']) {
            const headers = path.includes('{upload}') ? { ...program, Cookie: cookie } : program;
            const ask = () => watched.server.send(target, { door: door as 'api', method, headers });
            expect((await watched.state.unchangedByVisit(ask)).status).toBeLessThan(500);
          }
    },
  );
});
