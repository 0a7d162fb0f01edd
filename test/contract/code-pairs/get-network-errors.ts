import { createApp } from '#server/features/apps/create-app.ts';
import { builtInAppId } from '#server/features/apps/app.ts';
import type { PairsOf, Provocation } from './provocation.ts';

const day = 'start=2026-04-21T00:00:00Z&end=2026-04-22T00:00:00Z';
const path = (appId: string, query = day) => `/v2/apps/${appId}/network/errors?${query}`;

function withQuery(query: string): Provocation {
  return async ({ server }) => {
    const { id, credential } = await server.account();
    return server.send(path(builtInAppId(id), query), { credential });
  };
}

export const getNetworkErrors: PairsOf<'getNetworkErrors'> = {
  INVALID_TIME_RANGE: withQuery('start=2026-02-31T00:00:00Z&end=2026-04-22T00:00:00Z'),
  INVALID_INCLUDE_4XX: withQuery(`${day}&include_4xx=maybe`),
  ACCESS_DENIED: ({ server }) => server.send(path('app_1')),
  async MISSING_SCOPE({ server }) {
    const account = await server.account();
    return server.send(path(builtInAppId(account.id)), {
      credential: await server.key(account, { scopes: ['blob:read'] }),
    });
  },
  async RESOURCE_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const app = (await createApp(server.running.app.stores, { accountId: account.id, name: 'web' }))!;
    return server.send(path(builtInAppId(account.id)), {
      credential: await server.key(account, { scopes: ['apps:read'], resources: [app.id] }),
    });
  },
  async APP_NOT_FOUND({ server }) {
    const [{ credential }, other] = [await server.account(), await server.account()];
    return server.send(path(builtInAppId(other.id)), { credential });
  },
  async RATE_LIMITED({ limited }) {
    const { id, credential } = await limited.account();
    for (let second = 0; second < 15; second++)
      await limited.send(path(builtInAppId(id), `start=2026-04-21T00:00:${10 + second}Z&end=2026-04-22T00:00:00Z`), {
        credential,
      });
    return limited.send(path(builtInAppId(id)), { credential });
  },
  async UNABLE_TO_FETCH_ERRORS({ server, faults }) {
    const { id, credential } = await server.account();
    return faults.broken('edgeErrors.revision', () => server.send(path(builtInAppId(id)), { credential }));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { id, credential } = await server.account();
    return faults.unexpected('apps.find', () => server.send(path(builtInAppId(id)), { credential }));
  },
};
