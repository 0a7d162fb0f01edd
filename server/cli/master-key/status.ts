import type { Command } from 'commander';

import { stateOf, type MasterKeyRotation } from '#server/domain/master-key/rotation.ts';
import { columns, facts, instant } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';

/** The most API keys that are listed. */
const maxListed = 1000;

export function addMasterKeyStatus(masterKey: Command, operator: Operator): void {
  masterKey
    .command('status')
    .description('show the last rotation, and which API keys still need the former master key')
    .action(operator.storesAction(status));
}

/** The keys that are stored under a former master key. */
interface FormerKeys {
  readonly api_keys: number;
  readonly operator_keys: number;
  readonly listed: ReadonlyArray<{
    readonly key_id: string;
    readonly account_id: string;
    readonly name: string;
    readonly last4: string;
    readonly last_used_at: string | null;
  }>;
}

export async function formerKeysOf(
  { metadata: { read }, clock }: Stores,
  number: number,
  limit: number,
): Promise<FormerKeys> {
  const { apiKeys, operatorKeys } = await read.masterKeys.countFormer(number, clock.now());
  const listed = limit === 0 ? [] : await read.masterKeys.formerApiKeys(number, clock.now(), limit);
  return {
    api_keys: apiKeys,
    operator_keys: operatorKeys,
    listed: listed.map(({ id, accountId, name, last4, lastUsedAt }) => ({
      key_id: id,
      account_id: accountId,
      name,
      last4,
      last_used_at: instant(lastUsedAt),
    })),
  };
}

/** Returns a rotation for scripts. */
export function rotationJson(rotation: MasterKeyRotation, former: FormerKeys): object {
  return {
    number: rotation.number,
    began_at: instant(rotation.beganAt),
    in_force_at: instant(rotation.inForceAt),
    signatures_until: instant(rotation.signsUntil),
    grace_until: instant(rotation.findsUntil),
    ended_at: instant(rotation.endedAt),
    former_api_keys: former.api_keys,
    former_operator_keys: former.operator_keys,
  };
}

async function status(stores: Stores): Promise<Answer> {
  const rotation = await stores.metadata.read.masterKeys.lastRotation();
  if (!rotation) return { json: { number: 1, state: 'over' }, text: 'The master key has never been rotated.' };
  const state = stateOf(rotation, stores.clock.now());
  const former = await formerKeysOf(stores, rotation.number, state === 'grace' ? maxListed : 0);
  return {
    json: { state, ...rotationJson(rotation, former), keys: former.listed },
    text: textOf(rotation, state, former),
  };
}

function textOf(rotation: MasterKeyRotation, state: string, former: FormerKeys): string {
  const { number } = rotation;
  if (state === 'begun')
    return (
      `A rotation to the master key number ${number} began at ${instant(rotation.beganAt)} and was cut off. The ` +
      'former key is in force. Run "cubby master-key rotate" again: it goes on with the same new key.'
    );
  if (state === 'over')
    return (
      `The master key number ${number} has been in force since ${instant(rotation.inForceAt) ?? 'it was accepted'}. ` +
      'The former one is worth nothing any more.'
    );
  const shown = facts(`The master key number ${number} is in force. The former one is valid too.`, [
    ['in force since', instant(rotation.inForceAt)!],
    ['former key signs until', instant(rotation.signsUntil)!],
    ['grace period until', instant(rotation.findsUntil)!],
    ['API keys under the former key', String(former.api_keys)],
    ['operator keys under it', String(former.operator_keys)],
  ]);
  if (former.listed.length === 0) return shown;
  const rows = former.listed.map((key) => [
    key.key_id,
    key.account_id,
    `…${key.last4}`,
    key.last_used_at ?? 'never',
    key.name,
  ]);
  const list = columns([['KEY', 'ACCOUNT', 'ENDS IN', 'LAST USED', 'NAME'], ...rows]);
  return `${shown}\n\nThese API keys end with the grace period, unless they are used before:\n\n${list}`;
}
