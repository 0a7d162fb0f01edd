import { policies } from '#generated/policies.ts';
import { builtInAppId } from '#server/features/apps/app.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { signedIn as browserSignedIn } from '#test/support/sessions.ts';
import type { TestAccount, TestServer } from '#test/support/server.ts';
import { exampleFile, lastPart, made, madeFile, type Home, type Make, type Mocked } from './example-home.ts';
import { accountOfExamples, type GeneratedRequest } from './generated-requests.ts';

/** An account of a real server that has what one request names. */
export interface FurnishedAccount {
  /** The API key of the account, or an upload token. */
  readonly credential: string;
  /** Headers of the person whom the request comes from. */
  readonly headers: Readonly<Record<string, string>>;
  /** Replaces the ids of the contract's examples with those that the server gave. */
  own(text: string): string;
}

const ofFeatures = await partsOfFeatures('mocked');

/** What no feature makes of the ids of the contract's examples, besides files. */
const own: Mocked['makers'] = {
  app_4x7k2m9q3v8n6tbw: async ({ account }) => builtInAppId(account.id),
  key_example01: async (home) => (await made(home, '/v1/account/keys', { name: 'Website', scopes: ['blob:read'] }))?.id,
  'example-token': async (home) => {
    const object = await madeFile(home, exampleFile('linked.txt'));
    const query = new URLSearchParams({ object: object!, redirect: 'false' });
    return lastPart((await made(home, `/v1/objects/download?${query}`))?.url);
  },
  evt_204815162342108999_5_mo853aio: async (home) => {
    await madeFile(home, exampleFile('told.txt'));
    return (await made(home, '/v1/events?limit=1'))?.events[0]?.id;
  },
  cbo_example_not_a_real_key: async ({ server }) => server.operatorKey(),
  ses_example01: async ({ server, account }) => (await browserSignedIn(server, account.credential)).id,
  cbk_example_not_a_real_key: async ({ account }) => account.credential,
  '1b3.example-signature': async (home) => nextCursor(home),
  '5-mo84y5c0.example-signature': async (home) => nextCursor(home),
};

/** The makers of each id. A feature stands on those before it, so it comes first. */
const makers = new Map<string, readonly Make[]>();
for (const one of [...ofFeatures.map((feature) => feature.makers ?? {}).toReversed(), own])
  for (const [id, make] of Object.entries(one)) makers.set(id, [...(makers.get(id) ?? []), make]);

/** Calls the makers of an id until one has made it. */
async function makeFirst(all: readonly Make[], home: Home): Promise<string | undefined> {
  for (const make of all) {
    const id = await make(home);
    if (id !== undefined) return id;
  }
  return undefined;
}

const fileId = new RegExp(`(pub|prv)/${accountOfExamples}/[\\w./-]+`, 'g');

async function uploadToken(server: TestServer, { credential }: TestAccount): Promise<string> {
  const body = JSON.stringify({ max_uses: 100, expires_in: 3600 });
  return (await server.send('/v1/upload-tokens', { method: 'POST', credential, body })).json().response.token;
}

const fillLists: Mocked['fillLists'] = {
  async listActivity(home) {
    await made(home, '/v1/account/keys', { name: 'Website', scopes: ['blob:read'] });
  },
  async listObjects({ server, account }, query) {
    for (const name of ['first', 'second']) {
      const file = new URLSearchParams({
        name,
        prefix: query.get('prefix') ?? '',
        private: query.get('private') ?? '',
      });
      for (const [field, value] of [...file]) if (value === '') file.delete(field);
      const body = formWith(someBytes(600));
      await server.send(`/v1/objects?${file}`, { method: 'POST', credential: account.credential, body });
    }
  },
  ...Object.assign({}, ...ofFeatures.map((feature) => feature.fillLists)),
};

/** Returns the cursor of the first page of the request's own list. */
async function nextCursor(home: Home): Promise<string | undefined> {
  const { server, account, request, given } = home;
  // Its cursors have another form than that of the examples, which the mock refuses there.
  if (request.operation === 'listAccounts') return undefined;
  let target = ownIn(account, request.target);
  for (const [name, id] of given) target = target.replaceAll(name, id);
  const [path = '', search] = target.split('?');
  // `fetch()` would resolve it first, to the path of another operation.
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) return undefined;
  const query = new URLSearchParams(search);
  for (const name of ['cursor', 'continuationToken']) query.delete(name);
  query.set('limit', '1');
  await fillLists[request.operation]?.(home, query);
  const isOperator = policies[request.operation].credentials.includes('operatorKey');
  const answer = await server.send(
    `${path}?${query}`,
    isOperator ? { door: 'operator', credential: await server.operatorKey() } : { credential: account.credential },
  );
  // A page for people has no cursors, whatever its query says.
  if (answer.status >= 400 || !answer.headers.get('content-type')?.includes('json')) return undefined;
  return answer.json().response.continuationToken ?? answer.json().response.cursor;
}

function ownIn({ id }: TestAccount, text: string): string {
  return text.replaceAll(accountOfExamples, id).replaceAll('app_4x7k2m9q3v8n6tbw', builtInAppId(id));
}

/** Creates an account for a request, with the files, links, keys and uploads that the request names. */
export async function furnishedAccount(server: TestServer, request: GeneratedRequest): Promise<FurnishedAccount> {
  const account = await server.account();
  const credential = request.credential === 'token' ? await uploadToken(server, account) : account.credential;
  const home: Home = { server, account, request, credential, cookies: new Map(), given: new Map() };
  const text = `${request.target}\n${request.body ?? ''}`;
  const names = new Map([...makers].filter(([name]) => text.includes(name)));
  for (const [id] of text.matchAll(fileId)) names.set(id, [() => madeFile(home, id)]);
  const needsNone = policies[request.operation].credentials.length === 0;
  // Requests without the credential that they need come to nothing that is stored.
  if (needsNone || request.credential === 'key' || request.credential === 'token')
    for (const [name, all] of names) {
      const id = await makeFirst(all, home);
      if (id !== undefined) home.given.set(name, id);
    }
  return {
    credential,
    headers: home.cookies.size > 0 ? { Cookie: [...home.cookies].map((pair) => pair.join('=')).join('; ') } : {},
    own(template) {
      let text = template;
      for (const [name, id] of home.given) text = text.replaceAll(name, id);
      return ownIn(account, text);
    },
  };
}
