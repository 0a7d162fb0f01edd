import type { Command } from 'commander';

import { stateOf } from '#server/domain/operator/operator-key.ts';
import { columns, instant } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';

export function addOperatorKeyList(key: Command, operator: Operator): void {
  operator.list(
    key.command('list').description("list the keys of the operator's door, oldest first; secrets are never shown"),
    list,
  );
}

async function list({ metadata, clock }: Stores): Promise<Answer> {
  const now = clock.now();
  const keys = (await metadata.read.operatorKeys.list()).map((key) => ({
    operator_key_id: key.id,
    name: key.name,
    state: stateOf(key, now),
    created_at: instant(key.createdAt),
    last_used_at: instant(key.lastUsedAt),
    expires_at: instant(key.expiresAt),
    revoked_at: instant(key.revokedAt),
    last4: key.last4,
  }));
  const rows = keys.map((key) => [
    key.operator_key_id,
    key.state,
    `…${key.last4}`,
    key.last_used_at ?? 'never',
    key.expires_at ?? 'never',
    key.name,
  ]);
  const header = ['KEY', 'STATE', 'ENDS IN', 'LAST USED', 'EXPIRES', 'NAME'];
  return {
    json: keys,
    text:
      keys.length === 0
        ? 'There are no operator keys. "cubby operator key create" makes one.'
        : columns([header, ...rows]),
  };
}
