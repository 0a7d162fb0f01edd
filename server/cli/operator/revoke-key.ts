import type { Command } from 'commander';

import { credentialPrefixes } from '#server/domain/credential-prefixes.ts';
import { revokeOperatorKey } from '#server/domain/operator/revoke-operator-key.ts';
import { instant } from '../columns.ts';
import { Failure, type Answer, type Operator, type Stores } from '../operator.ts';

export function addOperatorKeyRevoke(key: Command, operator: Operator): void {
  key
    .command('revoke')
    .description("revoke a key of the operator's door, in force from its next request; safe to repeat")
    .argument('<key-id>', 'key id from "cubby operator key list"')
    // Not an argument parser, because its message would repeat the secret.
    .hook('preAction', (command) => {
      if (command.args[0]?.startsWith(credentialPrefixes.operatorKey))
        command.error('error: This is the key itself. Give its id instead; "cubby operator key list" shows it.');
    })
    .action(operator.storesAction((stores, keyId: string) => revoke(stores, keyId, operator)));
}

async function revoke(stores: Stores, keyId: string, { actor }: Operator): Promise<Answer> {
  const revoked = await revokeOperatorKey(stores, keyId, actor);
  if (!revoked) throw new Failure(`There is no operator key ${keyId}. "cubby operator key list" shows all of them.`);
  const { key, wasRevoked } = revoked;
  const revokedAt = instant(key.revokedAt);
  return {
    json: { operator_key_id: key.id, name: key.name, revoked_at: revokedAt },
    text: wasRevoked
      ? `The operator key was already revoked at ${revokedAt}. Nothing changed.`
      : `The operator key "${key.name}" is revoked. Its requests are rejected from now on.`,
  };
}
