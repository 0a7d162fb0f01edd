import type { Command } from 'commander';

import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { credentialPrefixes } from '#server/domain/credential-prefixes.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import { revokedKeyView } from '#server/handlers/operator/views/key.ts';
import { instant } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';

export function addKeyRevoke(key: Command, operator: Operator): void {
  key
    .command('revoke')
    .description('revoke a key for good, in force from its next request; safe to repeat')
    .argument('<key-id>', 'key id from "npm run -s cubby -- key list"')
    // Not an argument parser, because its message would repeat the secret.
    .hook('preAction', (command) => {
      if (command.args[0]?.startsWith(credentialPrefixes.apiKey))
        command.error(
          'error: This is the API key itself. Give its id instead; "npm run -s cubby -- key list" shows it.',
        );
    })
    .action(operator.storesAction((stores, keyId: string) => revoke(stores, keyId, operator.actor)));
}

async function revoke(stores: Stores, keyId: string, by: AuditActor): Promise<Answer> {
  const { key, wasRevoked } = await revokeKey(stores, keyId, by);
  const revokedAt = instant(key.revokedAt);
  return {
    json: revokedKeyView(key),
    text: wasRevoked
      ? `The key was already revoked at ${revokedAt}. Nothing changed.`
      : `The key "${key.name}" of account ${key.accountId} is revoked. Its requests are rejected from now on.`,
  };
}
