import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import { tooOften, type PairsOf } from './provocation.ts';

function info(server: TestServer, account: TestAccount, credential = account.credential): Promise<TestAnswer> {
  return server.send(`/v1/objects/info?object=pub/${account.id}/photos/missing.png`, { credential });
}

export const getObjectInfo: PairsOf<'getObjectInfo'> = {
  async INVALID_OBJECT({ server }) {
    const { credential } = await server.account();
    return server.send('/v1/objects/info?object=pub/204815162342108999/of-another-account.png', { credential });
  },
  ACCESS_DENIED: ({ server }) => server.send('/v1/objects/info?object=pub/204815162342108999/a.png'),
  async MISSING_SCOPE({ server }) {
    const account = await server.account();
    return info(server, account, await server.key(account, { scopes: ['blob:write'] }));
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    return info(server, account, await server.key(account, { scopes: ['blob:read'], prefixes: ['invoices'] }));
  },
  async OBJECT_NOT_FOUND({ server }) {
    return info(server, await server.account());
  },
  RATE_LIMITED: tooOften(info),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    return faults.unexpected('objects.find', () => info(server, account));
  },
};
