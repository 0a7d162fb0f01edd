import { setTimeout as sleep } from 'node:timers/promises';

import type { Config } from '#server/config/config.ts';
import type { ScrubSettings } from '#server/domain/store-check/scrub.ts';
import type { Log } from '#server/log.ts';
import type { Encryption } from './encrypted/encryption.ts';
import { dayMs } from '../domain/day.ts';

/** Returns how the scrub of a configuration works. */
export function scrubSettings(
  config: Config,
  log: Log,
  {
    encryption,
    ...stores
  }: Pick<ScrubSettings, 'blobs' | 'quarantine'> & { readonly encryption: Pick<Encryption, 'encrypt'> },
  onRead: (bytes: number) => void = () => {},
): ScrubSettings {
  const { scrubDays, backup } = config;
  return {
    ...stores,
    periodMs: scrubDays === 0 ? null : scrubDays * dayMs,
    openBackup:
      backup && (async () => (await import('./open-repairs.ts')).openRepairs(backup, config, encryption.encrypt)),
    onNoBackup: (error) =>
      log.error({ error }, 'the scrub has found damage, and CUBBY_BACKUP_TARGET cannot be read to repair it'),
    nowMs: () => performance.now(),
    pause: (ms) => sleep(ms),
    onDamage({ subject, detail, repair }) {
      const figures = { content: subject, ...(repair !== null && { repair }) };
      if (repair === null)
        log.error(
          figures,
          `A FILE IS DAMAGED: ${detail} Repair it with "cubby store check --bytes --repair --from BACKUP"`,
        );
      else log.warn(figures, `a damaged file was repaired: ${detail}`);
    },
    onRead,
  };
}
