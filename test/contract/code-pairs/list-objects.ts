import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

function withQuery(query: string): Provocation {
  return async ({ server }) => server.send(`/v1/objects?${query}`, { credential: (await server.account()).credential });
}

export const listObjects: PairsOf<'listObjects'> = {
  INVALID_OBJECT_PREFIX: withQuery('prefix=a%00b'),
  INVALID_OBJECT_PRIVATE: withQuery('private=maybe'),
  INVALID_DELIMITER: withQuery('delimiter=-'),
  INVALID_LIMIT: withQuery('limit=1001'),
  INVALID_SORT: withQuery('sort=colour'),
  INVALID_ORDER: withQuery('order=down'),
  INVALID_KIND: withQuery('kind=folder'),
  INVALID_SIZE_RANGE: withQuery('min_size=2&max_size=1'),
  INVALID_DATE_RANGE: withQuery('created_from=2026-02-30T00:00:00Z'),
  INVALID_OBJECT_METADATA: withQuery('metadata=acme'),
  INVALID_FIELDS: withQuery('fields=colour'),
  INVALID_CONTINUATION_TOKEN: withQuery('continuationToken=made-up'),

  async PREFIX_REQUIRED({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read'], prefixes: ['invoices'] });
    return server.send('/v1/objects', { credential });
  },
  async LIST_FAILED({ server, faults }) {
    const { credential } = await server.account();
    return faults.broken('objects.scan', () => server.send('/v1/objects', { credential }));
  },

  ACCESS_DENIED: ({ server }) => server.send('/v1/objects'),
  async MISSING_SCOPE({ server }) {
    return server.send('/v1/objects', {
      credential: await server.key(await server.account(), { scopes: ['blob:write'] }),
    });
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read'], prefixes: ['invoices'] });
    return server.send('/v1/objects?prefix=photos/', { credential });
  },

  RATE_LIMITED: tooOften((server, { credential }) => server.send('/v1/objects', { credential })),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('objects.scan', () => server.send('/v1/objects', { credential }));
  },
};
