import type { codesOfOperation } from '#generated/errors.ts';
import { upload } from '#test/support/files.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import type { StoreCall } from './store-faults.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

/** An id without a webhook. */
const missing = 'wh_missing';

type Ask = (server: TestServer, credential: string, id?: string, body?: unknown) => Promise<TestAnswer>;

const url = 'https://example.com/hook';

/** @param standard the body, if none is given */
const asking =
  (method: string, path: string, standard?: unknown): Ask =>
  (server, credential, id = missing, body = standard) =>
    server.send(path.replace('{id}', id), {
      method,
      credential,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

const create = asking('POST', '/v1/webhooks', { url });
const list = asking('GET', '/v1/webhooks');
const get = asking('GET', '/v1/webhooks/{id}');
const update = asking('PATCH', '/v1/webhooks/{id}', { description: 'a' });
const remove = asking('DELETE', '/v1/webhooks/{id}');
const test = asking('POST', '/v1/webhooks/{id}/test');
const deliveries = asking('GET', '/v1/webhooks/{id}/deliveries');
const replay = asking('POST', '/v1/webhooks/{id}/replay', { event: 'evt_missing' });
const rotate = asking('POST', '/v1/webhooks/{id}/rotate');

/** Makes a webhook of a new account. */
async function made(server: TestServer): Promise<{ readonly account: TestAccount; readonly id: string }> {
  const account = await server.account();
  return { account, id: (await create(server, account.credential)).json().response.id };
}

const withBody =
  (ask: Ask, body: unknown): Provocation =>
  async ({ server }) => {
    const { account, id } = await made(server);
    return ask(server, account.credential, id, body);
  };

const tooLarge = { padding: ' '.repeat(1_048_576) };

/** The codes that every operation here answers. */
function common(ask: Ask, fault: StoreCall) {
  return {
    ACCESS_DENIED: ({ server }) => ask(server, 'cbk_unknown'),
    MISSING_SCOPE: async ({ server }) => ask(server, await server.key(await server.account(), { scopes: ['ai:chat'] })),
    PREFIX_NOT_ALLOWED: async ({ server }) =>
      ask(
        server,
        await server.key(await server.account(), { scopes: ['blob:read', 'blob:write'], prefixes: ['invoices'] }),
      ),
    RATE_LIMITED: tooOften((server, { credential }) => ask(server, credential)),
    async INTERNAL_SERVER_ERROR({ server, faults }) {
      const { account, id } = await made(server);
      return faults.unexpected(fault, () => ask(server, account.credential, id));
    },
  } satisfies Partial<Record<(typeof codesOfOperation)['listWebhooks'][number], Provocation>>;
}

/** The codes of operations on one webhook. */
function ofOne(ask: Ask, fault: StoreCall) {
  return {
    ...common(ask, fault),
    WEBHOOK_NOT_FOUND: async ({ server }: { readonly server: TestServer }) =>
      ask(server, (await server.account()).credential),
  };
}

export const createWebhook: PairsOf<'createWebhook'> = {
  ...common(create, 'atomically'),
  INVALID_BODY: withBody(create, []),
  INVALID_WEBHOOK_URL: withBody(create, { url: 'http://127.0.0.1/' }),
  INVALID_WEBHOOK_TYPES: withBody(create, { url, types: ['object.eaten'] }),
  INVALID_PREFIXES: withBody(create, { url, prefixes: ['a b'] }),
  BODY_TOO_LARGE: withBody(create, tooLarge),
  async TOO_MANY_WEBHOOKS({ server }) {
    const { credential } = await server.account();
    for (let at = 0; at < 20; at++) await create(server, credential);
    return create(server, credential);
  },
};

export const listWebhooks: PairsOf<'listWebhooks'> = common(list, 'webhooks.listOf');
export const getWebhook: PairsOf<'getWebhook'> = ofOne(get, 'webhooks.find');

export const updateWebhook: PairsOf<'updateWebhook'> = {
  ...ofOne(update, 'atomically'),
  INVALID_BODY: withBody(update, []),
  INVALID_WEBHOOK_URL: withBody(update, { url: 'ftp://example.com/' }),
  INVALID_WEBHOOK_TYPES: withBody(update, { types: ['object.eaten'] }),
  INVALID_PREFIXES: withBody(update, { prefixes: ['a b'] }),
  NOTHING_TO_UPDATE: withBody(update, {}),
  BODY_TOO_LARGE: withBody(update, tooLarge),
};

export const deleteWebhook: PairsOf<'deleteWebhook'> = ofOne(remove, 'atomically');
export const runWebhookTest: PairsOf<'runWebhookTest'> = ofOne(test, 'atomically');

export const listWebhookDeliveries: PairsOf<'listWebhookDeliveries'> = {
  ...ofOne(deliveries, 'webhooks.scanDeliveries'),
  async INVALID_DELIVERY_STATE({ server }) {
    const { account, id } = await made(server);
    return server.send(`/v1/webhooks/${id}/deliveries?state=lost`, { credential: account.credential });
  },
  async INVALID_LIMIT({ server }) {
    const { account, id } = await made(server);
    return server.send(`/v1/webhooks/${id}/deliveries?limit=101`, { credential: account.credential });
  },
  async INVALID_CONTINUATION_TOKEN({ server }) {
    const { account, id } = await made(server);
    return server.send(`/v1/webhooks/${id}/deliveries?cursor=made-up`, { credential: account.credential });
  },
};

export const startWebhookReplay: PairsOf<'startWebhookReplay'> = {
  ...ofOne(replay, 'atomically'),
  INVALID_BODY: withBody(replay, []),
  INVALID_TIME_RANGE: withBody(replay, { from: 'yesterday' }),
  EVENT_NOT_FOUND: withBody(replay, { event: 'evt_missing' }),
  BODY_TOO_LARGE: withBody(replay, tooLarge),
  async WEBHOOK_REPLAY_RUNNING({ server }) {
    const { account, id } = await made(server);
    await upload(server, account);
    // A disabled webhook writes no deliveries, so its replay does not end.
    await update(server, account.credential, id, { enabled: false });
    const range = { from: '2000-01-01T00:00:00Z' };
    await replay(server, account.credential, id, range);
    return replay(server, account.credential, id, range);
  },
};

export const regenerateWebhookSecret: PairsOf<'regenerateWebhookSecret'> = ofOne(rotate, 'atomically');
