import { tooManyStreams, tooOften, type PairsOf, type Provocation } from './provocation.ts';

function withQuery(query: string): Provocation {
  return async ({ server }) => server.send(`/v1/events?${query}`, { credential: (await server.account()).credential });
}

export const listEvents: PairsOf<'listEvents'> = {
  INVALID_LIMIT: withQuery('limit=1001'),
  INVALID_CONTINUATION_TOKEN: withQuery('cursor=made-up'),
  ACCESS_DENIED: ({ server }) => server.send('/v1/events'),
  async MISSING_SCOPE({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['ai:chat'] });
    return server.send('/v1/events', { credential });
  },
  RATE_LIMITED: tooOften((server, { credential }) => server.send('/v1/events', { credential })),
  async TOO_MANY_EVENT_STREAMS({ server }) {
    const { credential } = await server.account();
    return tooManyStreams(server, '/v1/events', credential);
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('events.scan', () => server.send('/v1/events', { credential }));
  },
};
