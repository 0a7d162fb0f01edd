import { importLegacyKey } from '#server/domain/access/import-legacy-key.ts';
import { newCredential } from '#server/domain/access/credential.ts';
import { Approver } from '#test/support/activation.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';
import { tooOften, type PairsOf } from './provocation.ts';

const path = '/v1/s3/credentials';

function ask(server: TestServer, credential: string): Promise<TestAnswer> {
  return server.send(path, { credential });
}

/** A key whose pair was made under another master key. */
async function underAnotherMasterKey(server: TestServer): Promise<string> {
  const { metadata, secrets, ids } = server.running.app.stores;
  const { keyId } = await server.account();
  const credential = newCredential('apiKey', ids);
  const secret = {
    hash: secrets.credentialHash(credential),
    keyNumber: secrets.keyNumber,
    last4: credential.slice(-4),
    expiresAt: null,
    s3Salt: ids.lettersOf('ABC', 16),
    s3Check: 'of another one',
    s3Sealed: null,
  };
  await metadata.atomically((tx) => tx.apiKeys.replaceSecret(keyId, secret));
  return credential;
}

export const getS3Credentials: PairsOf<'getS3Credentials'> = {
  async API_KEY_REQUIRED({ server }) {
    const person = new Approver(server);
    await person.signIn((await server.account()).credential);
    return server.send(path, { headers: { Cookie: `cubby_session=${person.cookies.get('cubby_session')}` } });
  },
  async LEGACY_API_KEY({ server }) {
    const { id } = await server.account();
    const credential = `OLD-${id}-key`;
    await importLegacyKey(server.running.app.stores, { accountId: id, name: 'Imported key', credential });
    return ask(server, credential);
  },
  ACCESS_DENIED: ({ server }) => ask(server, 'cbk_unknown'),
  async INVALID_CREDENTIAL({ server }) {
    return ask(server, await underAnotherMasterKey(server));
  },
  async MISSING_SCOPE({ server }) {
    return ask(server, await server.key(await server.account(), { scopes: ['account:read'] }));
  },
  RATE_LIMITED: tooOften((server, { credential }) => ask(server, credential)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('apiKeys.findWithAccount', () => ask(server, credential));
  },
};
