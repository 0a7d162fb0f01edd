import type { Command } from 'commander';

import { credentialPrefixes } from '#server/domain/credential-prefixes.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import type { Answer, Operator } from '../operator.ts';
import { instant } from './view.ts';

export function addKeyRevoke(key: Command, operator: Operator): void {
  key
    .command('revoke')
    .description('revoke a key for good, in force from its next request; safe to repeat')
    .argument('<key-id>', 'key id from "npm run -s cubby -- key list"')
    .action((keyId: string, options: object, command: Command) => {
      // Not an argument parser, because its message would repeat the secret.
      if (keyId.startsWith(credentialPrefixes.apiKey))
        command.error(
          'error: This is the API key itself. Give its id instead; "npm run -s cubby -- key list" shows it.',
        );
      return operator.answering((_options: object) => revoke(operator, keyId))(options, command);
    });
}

async function revoke(operator: Operator, keyId: string): Promise<Answer> {
  const { key, wasRevoked } = await operator.onStores((stores) => revokeKey(stores, keyId));
  const revokedAt = instant(key.revokedAt);
  return {
    json: { key_id: key.id, account_id: key.accountId, name: key.name, revoked_at: revokedAt },
    text: wasRevoked
      ? `The key was already revoked at ${revokedAt}. Nothing changed.`
      : `The key "${key.name}" of account ${key.accountId} is revoked. Its requests are rejected from now on.`,
  };
}
