import { tooOften, type PairsOf } from './provocation.ts';

const missing = '/v1/events/evt_missing';

export const getEvent: PairsOf<'getEvent'> = {
  EVENT_NOT_FOUND: async ({ server }) => server.send(missing, { credential: (await server.account()).credential }),
  ACCESS_DENIED: ({ server }) => server.send(missing),
  async MISSING_SCOPE({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['ai:chat'] });
    return server.send(missing, { credential });
  },
  RATE_LIMITED: tooOften((server, { credential }) => server.send(missing, { credential })),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { id, credential } = await server.account();
    return faults.unexpected('events.find', () => server.send(`/v1/events/evt_${id}_1_1`, { credential }));
  },
};
