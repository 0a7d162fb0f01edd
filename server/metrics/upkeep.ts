import type { Instruments } from './instruments.ts';

/** What an operator must look after over years. */
export interface UpkeepFigures {
  /** Files whose bytes were damaged when they were last read. */
  readonly damagedContents: number;
  /** Since the last whole backup; NaN before the first. */
  readonly backupAgeSeconds: number;
}

/** Describes backups and the scrub. */
export function upkeepMetrics({ counter, gauge }: Instruments) {
  const scrubbed = counter('scrubbed_bytes_total', 'Bytes that the scrub has read and compared.');
  return {
    /** Counts bytes that the scrub has read. */
    scrubbed: (bytes: number) => scrubbed.inc(bytes),
    /** Adds what backups and the scrub have found. */
    watchUpkeep(figures: () => Promise<UpkeepFigures>) {
      gauge(
        'damaged_contents',
        'Files whose bytes were damaged or missing when they were last read.',
        async () => (await figures()).damagedContents,
      );
      gauge(
        'backup_age_seconds',
        'Time since the last whole backup to any target; NaN before the first.',
        async () => (await figures()).backupAgeSeconds,
      );
    },
  };
}
