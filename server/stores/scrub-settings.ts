import { setTimeout as sleep } from 'node:timers/promises';

import type { Config } from '#server/config/config.ts';
import type { ScrubSettings } from '#server/domain/store-check/scrub.ts';
import type { Log } from '#server/log.ts';
import type { Encryption } from './encrypted/encryption.ts';

const dayMs = 86_400_000;

/** Returns how the scrub of a configuration works; undefined if it is switched off. */
export function scrubSettings(
  config: Config,
  log: Log,
  {
    encryption,
    ...stores
  }: Pick<ScrubSettings, 'blobs' | 'quarantine'> & { readonly encryption: Pick<Encryption, 'encrypt'> },
  onRead: (bytes: number) => void = () => {},
): ScrubSettings | undefined {
  const { scrubDays, backup } = config;
  if (scrubDays === 0) return undefined;
  return {
    ...stores,
    periodMs: scrubDays * dayMs,
    openBackup:
      backup && (async () => (await import('./open-repairs.ts')).openRepairs(backup, config, encryption.encrypt)),
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
