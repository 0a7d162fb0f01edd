import { setTimeout as sleep } from 'node:timers/promises';

import type { Config } from '#server/config/config.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { beginRotation, forgetSealedKey, putInForce } from '#server/domain/master-key/begin-rotation.ts';
import { reseal } from '#server/domain/master-key/reseal.ts';
import { stateOf, type MasterKeyRotation } from '#server/domain/master-key/rotation.ts';
import { reseals } from '#server/feature-parts.ts';
import type { Stores } from './open.ts';
import { openedKeys } from './opened-keys.ts';
import { newMasterKey, replaceKeyFile } from './system/master-key.ts';
import { sealKeys } from './system/rotated-keys.ts';

/** The master key cannot be rotated now. The message is for the operator. */
export class MasterKeyRotationRefused extends Error {
  override readonly name = 'MasterKeyRotationRefused';
}

/** The steps of a rotation, in their order. A rotation that was cut off after any of them can be run again. */
export type RotationStep = 'begun' | 'known' | 'file replaced' | 'in force' | 'resealed';

export interface RotateCommand {
  readonly config: Config;
  readonly stores: Stores;
  /** How long the former key stays valid. */
  readonly graceMs: number;
  /** Whether the former key is known to others. Its signatures then end at once. */
  readonly isLeaked: boolean;
  /** The operator's own new key, if the former one is from a variable. */
  readonly newKey: string | undefined;
  /** How long servers get to learn the new key before it signs anything. */
  readonly waitMs: number;
  readonly by: AuditActor;
  readonly onStep: (step: RotationStep) => void;
}

export interface RotationReport {
  readonly rotation: MasterKeyRotation;
  /** How many rows were stored anew under the new key. */
  readonly resealed: number;
}

/**
 * Rotates the master key beside running servers:
 *
 * 1. Both keys are stored, each encrypted under the other one. Servers learn the new key, and go on with the former
 *    one.
 * 2. The file in the data folder is replaced. A server with either key can be started.
 * 3. The new key comes into force, and the grace period begins.
 * 4. What the server can read is stored anew under the new key.
 *
 * A rotation that was cut off before the third step goes on with its own new key.
 *
 * @throws {MasterKeyRotationRefused} nothing was changed
 */
export async function rotateMasterKey(command: RotateCommand): Promise<RotationReport> {
  const { config, stores, graceMs, isLeaked, waitMs, by, onStep } = command;
  const { metadata } = stores;
  await requireRotatable(command);
  const { number, former, next } = await begin(command);
  onStep('begun');
  await sleep(waitMs);
  onStep('known');
  if (config.masterKey === undefined) {
    await replaceKeyFile(config.dataDir, next.bytes, former.number);
    onStep('file replaced');
  }
  const rotation = await putInForce({ metadata }, { number, graceMs, isLeaked, by });
  await stores.reloadMasterKey();
  onStep('in force');
  const resealed = await reseal({ ...stores, reseals }, rotation);
  if (isLeaked) {
    // The former key opens the new one in the database. A thief who has both must not get the new one.
    await sleep(waitMs);
    await forgetSealedKey({ metadata }, number);
  }
  onStep('resealed');
  return { rotation, resealed };
}

async function requireRotatable({ config, stores, newKey }: RotateCommand): Promise<void> {
  const { metadata, clock } = stores;
  if ((config.masterKey === undefined) !== (newKey === undefined))
    throw new MasterKeyRotationRefused(
      newKey === undefined
        ? `The master key comes from ${config.masterKeySource}. ` +
            'Make a new one (openssl rand -hex 32) in a file, and name it with --new-key-file.'
        : 'The master key is in the data folder, so this command makes the new one itself. Leave out --new-key-file.',
    );
  if (newKey !== undefined && newKey === config.masterKey)
    throw new MasterKeyRotationRefused('The new master key is the same as the present one. Make another one.');
  const last = await metadata.read.masterKeys.lastRotation();
  if (last && last.inForceAt !== null && last.endedAt === null && stateOf(last, clock.now()) === 'grace')
    throw new MasterKeyRotationRefused(
      `The last rotation is in its grace period until ${new Date(last.findsUntil!).toISOString()}. ` +
        'Wait for its end, or end it now with "cubby master-key finish".',
    );
  if (last && last.inForceAt !== null && last.endedAt === null)
    throw new MasterKeyRotationRefused(
      'The grace period of the last rotation is over, and the server has not ended it yet. ' +
        'Run "cubby master-key finish", then try again.',
    );
}

/** Begins a rotation, or goes on with one that has begun. */
async function begin({ config, stores, newKey }: RotateCommand) {
  const { metadata } = stores;
  const keys = await openedKeys(config, stores);
  if (!keys) throw new MasterKeyRotationRefused('The master key has changed meanwhile. Run the command again.');
  const [former, known] = keys;
  const isSame = known !== undefined && (newKey === undefined || Buffer.from(newKey).equals(known.bytes));
  const wanted = isSame ? known.bytes : Buffer.from(newKey ?? newMasterKey());
  const { number } = await beginRotation({ metadata }, sealKeys(former.bytes, wanted), isSame || newKey === undefined);
  // Another command may have begun one at the same time. Then both go on with the key of the first.
  const next = (await openedKeys(config, stores, [wanted]))?.find((key) => key.number === number);
  if (!next) throw new MasterKeyRotationRefused('The master key has changed meanwhile. Run the command again.');
  return { number, former, next };
}
