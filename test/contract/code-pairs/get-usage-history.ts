import { tooOften, type PairsOf } from './provocation.ts';

const path = '/v1/account/usage';

export const getUsageHistory: PairsOf<'getUsageHistory'> = {
  async INVALID_TIME_RANGE({ server }) {
    return server.send(`${path}?from=2026-02-30`, { credential: (await server.account()).credential });
  },
  ACCESS_DENIED: ({ server }) => server.send(path, { credential: 'cbk_unknown' }),
  async MISSING_SCOPE({ server }) {
    return server.send(path, { credential: await server.key(await server.account(), { scopes: ['blob:write'] }) });
  },
  RATE_LIMITED: tooOften((server, { credential }) => server.send(path, { credential })),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('accounts.usageOf', () => server.send(path, { credential }));
  },
};
