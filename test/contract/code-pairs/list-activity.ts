import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

function withQuery(query: string): Provocation {
  return async ({ server }) =>
    server.send(`/v1/account/activity?${query}`, { credential: (await server.account()).credential });
}

export const listActivity: PairsOf<'listActivity'> = {
  INVALID_LIMIT: withQuery('limit=101'),
  INVALID_ACTIVITY_FILTER: withQuery('type=object.renamed'),
  INVALID_OBJECT_PREFIX: withQuery('prefix='),
  INVALID_TIME_RANGE: withQuery('from=2026-04-22T00:00:00Z&to=2026-04-21T00:00:00Z'),
  async PREFIX_NOT_ALLOWED({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['account:read'], prefixes: ['photos'] });
    return server.send('/v1/account/activity?prefix=invoices', { credential });
  },
  INVALID_CONTINUATION_TOKEN: withQuery('cursor=made-up'),
  ACCESS_DENIED: ({ server }) => server.send('/v1/account/activity'),
  async UPGRADE_REQUIRED({ server }) {
    return server.send('/v1/account/activity', { credential: (await server.account('hobby')).credential });
  },
  async MISSING_SCOPE({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read', 'blob:write'] });
    return server.send('/v1/account/activity', { credential });
  },
  RATE_LIMITED: tooOften((server, { credential }) => server.send('/v1/account/activity', { credential })),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('activity.scan', () => server.send('/v1/account/activity', { credential }));
  },
};
