import type { TestAnswer, TestServer } from '#test/support/server.ts';
import { tooOften, type PairsOf } from './provocation.ts';

function ask(server: TestServer, credential: string): Promise<TestAnswer> {
  return server.send('/v1/account/image-key', { credential });
}

export const getImageKey: PairsOf<'getImageKey'> = {
  ACCESS_DENIED: ({ server }) => ask(server, 'cbk_unknown'),
  async MISSING_SCOPE({ server }) {
    return ask(server, await server.key(await server.account(), { scopes: ['blob:read'] }));
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const restricted = { scopes: ['blob:write'], prefixes: ['invoices'] } as const;
    return ask(server, await server.key(await server.account(), restricted));
  },
  RATE_LIMITED: tooOften((server, { credential }) => ask(server, credential)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('apiKeys.findWithAccount', () => ask(server, credential));
  },
};
