import { policies } from '#generated/policies.ts';
import { builtInAppId } from '#server/features/apps/app.ts';
import { Approver, askForKey, signedIn } from '#test/support/activation.ts';
import { chunking } from '#test/support/chunked.ts';
import { sendFiles } from '#test/support/file-requests.ts';
import { announce } from '#test/support/sent-uploads.ts';
import { formWith, sha256, someBytes } from '#test/support/files.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import { signedIn as browserSignedIn } from '#test/support/sessions.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
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

interface Home {
  readonly server: TestServer;
  readonly account: TestAccount;
  readonly request: GeneratedRequest;
  /** The credential of the request, if it is a valid one. */
  readonly credential: string;
  /** The cookies of a browser, which a maker may set. */
  readonly cookies: Map<string, string>;
  /** What was made so far: the ids of the server, by those of the examples. */
  readonly given: Map<string, string>;
}

const userCode = 'WDJB-MJHT';

const exampleRepository = 'https://git.invalid/acme/shop.git';

/** Makes a thing, and returns the id that the server gave it. Undefined if the server refuses it. */
type Make = (home: Home) => Promise<string | undefined>;

/** The ids of the contract's examples, besides those of files. */
const makers: Readonly<Record<string, Make>> = {
  app_4x7k2m9q3v8n6tbw: async (home) => {
    const { server, account, request } = home;
    const path = `/v2/apps/${builtInAppId(account.id)}/deploy`;
    if (request.operation.endsWith('DeployHook')) await made(home, `${path}/hook`, { repository: exampleRepository });
    if (request.operation.endsWith('CommitStatus')) {
      const body = JSON.stringify({ access_token: 'token-of-the-host', origin: 'https://git.invalid' });
      await server.send(`${path}/status`, { method: 'PUT', credential: account.credential, body });
    }
    return builtInAppId(account.id);
  },
  key_example01: async (home) => (await made(home, '/v1/account/keys', { name: 'Website', scopes: ['blob:read'] }))?.id,
  ExampleShare00000000001: async (home) => {
    const object = await madeFile(home, `prv/${accountOfExamples}/shared.txt`);
    const { operation, method, body: form = '' } = home.request;
    // With another method it is a request for the file, for which the mock has a link without a password.
    const hasPassword = operation === 'submitSharePassword' && method === 'POST' && /password=/.test(form);
    const body = { object, ...(hasPassword && { password: 'example-password' }) };
    return (await made(home, '/v1/shares', body))?.id;
  },
  examplerequest0000000001: async (home) =>
    (await made(home, '/v1/file-requests', { title: 'Photos', prefix: 'party' }))?.id,
  ExampleRequestLink00000001: async (home) => {
    const hasPassword = home.request.operation === 'submitRequestPassword';
    const body = { title: 'Photos', prefix: 'party', ...(hasPassword && { password: 'example-password' }) };
    const link = lastPart((await made(home, '/v1/file-requests', body))?.url);
    if (link !== undefined && /Sent/.test(home.request.operation)) await sendAFile(home, link);
    return link;
  },
  'example-token': async (home) => {
    const object = await madeFile(home, `prv/${accountOfExamples}/linked.txt`);
    const query = new URLSearchParams({ object: object!, redirect: 'false' });
    return lastPart((await made(home, `/v1/objects/download?${query}`))?.url);
  },
  'example-upload-0001': async (home) => {
    const { server, credential, given } = home;
    const link = given.get('ExampleRequestLink00000001');
    if (link !== undefined) return announceAFile(home, link);
    const chunks = chunking(() => server);
    const upload = await chunks.open({ credential });
    await chunks.put({ credential }, upload, 1, partBytes);
    return upload;
  },
  '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae': async () => sha256(partBytes),
  'example-webhook-3kq9v7m2x4b8n6tw': async (home) => {
    const path = `/v2/apps/${builtInAppId(home.account.id)}/deploy/webhook`;
    return lastPart((await made(home, path, { access_token: 'token-of-the-host' }))?.webhook);
  },
  'example-hook-6m2x8k4v9q3n7tbw': async (home) => {
    const path = `/v2/apps/${builtInAppId(home.account.id)}/deploy/hook`;
    return lastPart((await made(home, path, { repository: exampleRepository }))?.url);
  },
  dep_8m4k2x7q9v3n6tbw: async (home) => {
    const hook = await makers['example-webhook-3kq9v7m2x4b8n6tw']!(home);
    await home.server.send(`/v2/git/webhook/${hook}`, { method: 'POST', ...deliveryOf('github') });
    const path = `/v2/apps/${builtInAppId(home.account.id)}/deployments`;
    return (await made(home, path))?.deployments[0]?.id;
  },
  wh_example01: async (home) => (await made(home, '/v1/webhooks', { url: 'https://hooks.example.invalid/cubby' }))?.id,
  job_example01: async (home) =>
    (await made(home, '/v1/folders/jobs', { action: 'delete', prefix: 'builds', dry_run: true }))?.id,
  evt_204815162342108999_5_mo853aio: async (home) => {
    await madeFile(home, `prv/${accountOfExamples}/told.txt`);
    return (await made(home, '/v1/events?limit=1'))?.events[0]?.id;
  },
  '3aekqbzcr5v7mkq2n4x6w3z3b': async (home) => keptVersion(home, 'first'),
  '3aekqbzcs2d4f6h3j5k7m2n4p': async (home) => keptVersion(home, 'second'),
  cbo_example_not_a_real_key: async ({ server }) => server.operatorKey(),
  ses_example01: async ({ server, account }) => (await browserSignedIn(server, account.credential)).id,
  cbk_example_not_a_real_key: async ({ account }) => account.credential,
  [userCode]: async ({ server }) => (await askForKey(server)).user_code,
  'example-form-token': async (home) => formToken(home),
  'example-device-code-7q2m4x9v3k8n6tbw': async ({ server, account }) => {
    const codes = await askForKey(server);
    await (await signedIn(server, account.credential)).decide('approve', codes.user_code);
    return codes.device_code;
  },
  '1b3.example-signature': async (home) => nextCursor(home),
  '5-mo84y5c0.example-signature': async (home) => nextCursor(home),
};

/** Sends a file to a request, as the browser that the request comes from. */
async function sendAFile(home: Home, link: string): Promise<void> {
  keepCookies(home, await sendFiles(home.server, { path: `/r/${link}` }, [['beach.jpg', 'beach']]));
}

/** Announces a file to a request, as the same browser. Returns the id of its upload. */
async function announceAFile(home: Home, link: string): Promise<string> {
  const cookie = [...home.cookies].map((pair) => pair.join('=')).join('; ');
  const file = { name: 'beach.jpg', size: 12_582_912 };
  const opened = await announce(home.server, { path: `/r/${link}` }, file, cookie === '' ? {} : { cookie });
  keepCookies(home, opened);
  return opened.json().response.upload;
}

function keepCookies({ cookies }: Home, { headers }: Pick<TestAnswer, 'headers'>): void {
  for (const cookie of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  }
}

const partBytes = Buffer.alloc(600, 'x');

const lastPart = (url: string | undefined) => url?.split('/').at(-1);

/** Sends a request with JSON, or a GET. Returns its `response`, or undefined for a refusal. */
async function made({ server, account }: Home, path: string, body?: object): Promise<any> {
  const answer = await server.send(path, {
    credential: account.credential,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return answer.status < 400 ? answer.json().response : undefined;
}

/** Opens the page with the form that the request sends. */
async function formToken({ server, account, request, cookies, given }: Home): Promise<string> {
  const action = new URLSearchParams(request.body).get('action');
  const approver = action === 'sign_in' ? new Approver(server) : await signedIn(server, account.credential);
  await approver.open();
  if (action === 'approve' || action === 'refuse') await approver.lookUp(given.get(userCode)!);
  for (const [name, value] of approver.cookies) cookies.set(name, value);
  return approver.formToken;
}

/** Deletes a file into the trash. Returns its version there. */
async function keptVersion(home: Home, name: string): Promise<string | undefined> {
  const { server, account } = home;
  const rules = JSON.stringify({ rules: [{ prefix: 'kept', keep_deleted_days: 30 }] });
  const { credential } = account;
  await server.send('/v1/account/settings', { method: 'PUT', credential, body: rules });
  const object = await madeFile(home, `prv/${accountOfExamples}/kept/${name}.txt`);
  await server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ object }) });
  const { versions } = await made(home, '/v1/trash?prefix=kept/');
  return versions.find(({ id }: { readonly id: string }) => id === object)?.version;
}

const fileId = new RegExp(`(pub|prv)/${accountOfExamples}/[\\w./-]+`, 'g');

/** Uploads a file so that its id is the given one, or differs from it only in the account and the random hash. */
async function madeFile({ server, account }: Home, id: string): Promise<string | undefined> {
  const [, space, prefix, name, hash, days, extension] =
    /^(\w+)\/\d+\/(?:(.+)\/)?([^/]+?)(_[a-z0-9]{16})?(?:-ex(\d+))?\.([a-z0-9]+)$/.exec(id) ?? [];
  if (name === undefined) return undefined;
  const query = new URLSearchParams({
    name,
    ...(prefix !== undefined && { prefix }),
    ...(hash !== undefined && { security_hash: 'true' }),
    ...(days !== undefined && { expire: `${days}d` }),
    private: String(space === 'prv'),
  });
  const answer = await server.send(`/v1/objects?${query}`, {
    method: 'POST',
    credential: account.credential,
    body: formWith(someBytes(600), `${name}.${extension}`),
  });
  return answer.status === 200 ? answer.json().response.id : undefined;
}

async function uploadToken(server: TestServer, { credential }: TestAccount): Promise<string> {
  const body = JSON.stringify({ max_uses: 100, expires_in: 3600 });
  return (await server.send('/v1/upload-tokens', { method: 'POST', credential, body })).json().response.token;
}

/** The time between two pushes of a webhook. */
const pushWindowMs = 15_000;

/** Fills the request's own list with more than one entry. */
async function fillList(home: Home, query: URLSearchParams): Promise<void> {
  const { server, account, request } = home;
  if (request.operation === 'listActivity')
    await made(home, '/v1/account/keys', { name: 'Website', scopes: ['blob:read'] });
  if (request.operation === 'listDeployments') {
    const hook = await makers['example-webhook-3kq9v7m2x4b8n6tw']!(home);
    for (const branch of ['first', 'second']) {
      const { body, headers } = deliveryOf('github', 'push', { branch });
      await server.send(`/v2/git/webhook/${hook}`, { method: 'POST', headers, body });
      server.clock.advance(pushWindowMs);
    }
  }
  if (request.operation === 'listShareFiles') {
    const objects = await Promise.all(
      ['first', 'second'].map((name) => madeFile(home, `prv/${accountOfExamples}/shared/${name}.txt`)),
    );
    const id = (await made(home, '/v1/shares', { objects }))?.id ?? '';
    query.set('id', id);
    home.given.set('ExampleShare00000000001', id);
  }
  if (request.operation === 'listObjects')
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
}

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
  await fillList(home, query);
  const isOperator = policies[request.operation].credentials.includes('operatorKey');
  const answer = await server.send(
    `${path}?${query}`,
    isOperator ? { door: 'operator', credential: await server.operatorKey() } : { credential: account.credential },
  );
  return answer.status < 400 ? (answer.json().response.continuationToken ?? answer.json().response.cursor) : undefined;
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
  const names = new Map<string, Make>(Object.entries(makers).filter(([name]) => text.includes(name)));
  for (const [id] of text.matchAll(fileId)) names.set(id, () => madeFile(home, id));
  const needsNone = policies[request.operation].credentials.length === 0;
  // Requests without the credential that they need come to nothing that is stored.
  if (needsNone || request.credential === 'key' || request.credential === 'token')
    for (const [name, make] of names) {
      const id = await make(home);
      if (id !== undefined) home.given.set(name, id);
    }
  return {
    credential,
    headers: home.cookies.size > 0 ? { Cookie: [...home.cookies].map((pair) => pair.join('=')).join('; ') } : {},
    own(template) {
      let own = template;
      for (const [name, id] of home.given) own = own.replaceAll(name, id);
      return ownIn(account, own);
    },
  };
}
