import type { Config } from '#server/config/config.ts';
import { configuredKey, problemsOfKey, requireKey } from './encrypted/required-key.ts';
import type { Ready, ReadyOptions } from './engine.ts';
import { systemClock } from './system/clock.ts';
import { keyCheckOf } from './system/master-key.ts';
import { requireKeys, type ConfiguredKey } from './system/rotated-keys.ts';
import { endRotations, keepCheck, masterKeysTable, replaceCheck, rotations } from './tables/master-keys.ts';
import { findRootKeys } from './tables/root-keys.ts';
import type { UnopenedRows } from './tables/rows.ts';

/**
 * Returns the check value of the master key that the database was made with. A first start that was cut off left none.
 *
 * @see DECISIONS, "What looks wrong stops a start or a deletion"
 */
export async function findKeyCheck({ rows, hasTable }: UnopenedRows): Promise<string | undefined> {
  return (await hasTable('master_key_check')) ? masterKeysTable(rows).check() : undefined;
}

export interface CompareOptions extends Pick<ReadyOptions, 'acceptsKey' | 'isMoved'> {
  readonly now: number;
}

/**
 * Compares the keys of a configuration with those that a migrated database was made with. The first process stores the
 * check value of its master key.
 *
 * @throws {KeyEncryptionKeyUnusable | MasterKeyUnusable}
 */
export async function compareKeys(
  from: UnopenedRows,
  config: Config,
  { database, masterKey }: ConfiguredKey,
  { now, acceptsKey = false, isMoved = false }: CompareOptions,
): Promise<Pick<Ready, 'masterKeys' | 'configuredKey' | 'keyEncryptionKey'>> {
  const own = keyCheckOf(masterKey);
  if (acceptsKey)
    await from.atomically(async (tx) => {
      await tx.run(endRotations, now);
      await tx.run(replaceCheck, own);
    });
  // Only the first time, because a write waits for the writes of a running server.
  if ((await findKeyCheck(from)) === undefined) await from.rows.run(keepCheck, own);
  const { check, lastRotation } = masterKeysTable(from.rows);
  const stored = { check: await check(), rotation: await lastRotation() };
  const masterKeys = requireKeys(config, { database, masterKey }, stored, now);
  const keyEncryptionKey = configuredKey(config);
  if (!isMoved) requireKey(await findRootKeys(from), keyEncryptionKey, `the database ${database}`);
  return { masterKeys, configuredKey: masterKey, keyEncryptionKey };
}

/** Returns what {@link compareKeys} would find wrong, one line each. @throws {MasterKeyUnusable} */
export async function problemsOfKeys(from: UnopenedRows, config: Config, key: ConfiguredKey): Promise<string[]> {
  const check = await findKeyCheck(from);
  if (check !== undefined) {
    const hasRotated = await from.hasTable(rotations.name);
    const rotation = hasRotated ? await masterKeysTable(from.rows).lastRotation() : undefined;
    requireKeys(config, key, { check, rotation }, systemClock.now());
  }
  return problemsOfKey(await findRootKeys(from), configuredKey(config), `the database ${key.database}`);
}
