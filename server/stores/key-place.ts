import type { Config } from '#server/config/config.ts';
import type { Log } from '#server/log.ts';
import type { Ready } from './engine.ts';
import type { RingKeys } from './system/key-ring.ts';
import { keyPlaceHolds, replaceKeyFile } from './system/master-key.ts';

/**
 * Brings the place of the master key up to date, after a rotation that another process has begun: the file in the data
 * folder is replaced. For a key from a variable, the operator is told what to do.
 */
export async function followKey(config: Config, log: Log, [current]: RingKeys): Promise<void> {
  if (config.masterKey === undefined) {
    if (await replaceKeyFile(config.dataDir, current.bytes, current.number - 1))
      log.info({ master_key: current.number }, 'the file master.key holds the new master key now');
    return;
  }
  if (Buffer.from(config.masterKey).equals(current.bytes)) return;
  log.warn(
    { master_key: current.number },
    `${keyPlaceHolds(config)} the former master key. This server has opened the new one with it, and goes on. Put ` +
      'the new key there before the grace period is over: after that it does not start. "cubby master-key status" ' +
      'says when that is',
  );
}

/** Does the same for a process that has just started. Before the new key is in force, nothing is changed. */
export async function followKeyAtStart(
  config: Config,
  log: Log,
  { masterKeys, configuredKey }: Pick<Ready, 'masterKeys' | 'configuredKey'>,
): Promise<void> {
  const [current, ...others] = masterKeys;
  const isNewer = others.some(({ number }) => number > current.number);
  if (!isNewer && !Buffer.from(configuredKey).equals(current.bytes)) await followKey(config, log, masterKeys);
}
