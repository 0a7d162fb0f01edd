import type { Config } from '#server/config/config.ts';
import type { Stores } from './open.ts';
import type { RingKeys } from './system/key-ring.ts';
import { masterKeyOf } from './system/master-key.ts';
import { openKeys } from './system/rotated-keys.ts';

/**
 * Returns the master keys that are valid now, the current one first.
 *
 * @param more keys that are known besides the configured one
 * @returns undefined if the key in force cannot be opened
 */
export async function openedKeys(
  config: Config,
  { metadata: { read }, clock }: Pick<Stores, 'metadata' | 'clock'>,
  more: readonly Uint8Array[] = [],
): Promise<RingKeys | undefined> {
  const configured = await masterKeyOf(config.dataDir, config.masterKey, false);
  const [check, rotation] = [await read.masterKeys.check(), await read.masterKeys.lastRotation()];
  return openKeys([configured, ...more], { check, rotation }, clock.now());
}
