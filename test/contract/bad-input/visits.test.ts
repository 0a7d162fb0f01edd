import { beforeAll, describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { Visited } from '#test/support/addresses.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { browserAccept, createShare, shareFile } from '#test/support/shares.ts';
import { watchedServer } from './watched-server.ts';

const watched = watchedServer();
const ofFeatures = await partsOfFeatures('addresses');

/** Addresses that open something for everybody who knows them, by their path. Mails, chats and histories hold them. */
let visited: Readonly<Record<string, Visited>>;
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
  const pathOf = (url: string) => new URL(url).pathname;
  const addresses: Readonly<Record<string, readonly string[]>> = {
    '/d/{token}': [pathOf(temporary.url)],
    '/s/{share_id}': [
      await shared({}),
      await shared({ landing: true }),
      await shared(capped),
      await shared({ ...capped, password: 'correct horse' }),
      pathOf(bundle.url),
    ],
    '/{account_id}/{key}': [pathOf(opened.url)],
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
  visited = Object.assign(
    Object.fromEntries(Object.entries(addresses).map(([path, own]) => [path, { addresses: own }])),
    ...(await Promise.all(ofFeatures.map(({ open }) => open?.({ server, account })))),
  );
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
    expect(Object.keys(visited).toSorted()).toEqual([...new Set(free.map(({ path }) => path))].toSorted());
  });

  it.each([...new Map(free.map(({ path, door }) => [path, door]))])(
    'to %s spends, decides and uses up nothing',
    async (path, door) => {
      // Only the pages of links have parameters that ask for bytes.
      const queries = path === '/s/{share_id}' ? ['', '?download=1', '?file=1'] : [''];
      const targets = visited[path]!.addresses.flatMap((address) => queries.map((query) => address + query));
      for (const target of targets)
        for (const program of Object.values(programs))
          for (const method of ['GET', 'HEAD']) {
            const headers = { ...program, ...visited[path]!.headers };
            const ask = () => watched.server.send(target, { door: door as 'api', method, headers });
            expect((await watched.state.unchangedByVisit(ask)).status).toBeLessThan(500);
          }
    },
  );
});
