import type { Command } from 'commander';

import { credentialPrefixes } from '#server/domain/credential-prefixes.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import type { Answer, Operator } from '../operator.ts';
import { instant } from './view.ts';

export function addKeyRevoke(key: Command, operator: Operator): void {
  key
    .command('revoke')
    .description('end a key for good, from its next request on; may be called twice')
    .argument('<key-id>', 'id of the key, as "npm run -s cubby -- key list" shows it')
    .action((keyId: string, options: object, command: Command) => {
      // Not left to an argument parser: that would repeat the secret in its message.
      if (keyId.startsWith(credentialPrefixes.apiKey))
        command.error('error: This is an API key itself. Name its id, which "npm run -s cubby -- key list" shows.');
      return operator.answering((_options: object) => revoke(operator, keyId))(options, command);
    });
}

async function revoke(operator: Operator, keyId: string): Promise<Answer> {
  const { key, wasRevoked } = await operator.onStores((stores) => revokeKey(stores, keyId));
  const revokedAt = instant(key.revokedAt);
  return {
    json: { key_id: key.id, account_id: key.accountId, name: key.name, revoked_at: revokedAt },
    text: wasRevoked
      ? `The key was revoked at ${revokedAt} already; nothing has changed.`
      : `The key "${key.name}" of account ${key.accountId} is revoked: it is refused from now on.`,
  };
}
