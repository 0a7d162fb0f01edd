import type { BackupPlace } from '#server/config/backup.ts';
import { findGeneration, generationNames } from '#server/domain/backup/generation.ts';
import { columns } from '../columns.ts';
import type { Answer } from '../operator.ts';
import { bytesWords } from '../progress-line.ts';

/** Lists the generations of a place, the oldest first. */
export async function listBackup(place: BackupPlace): Promise<Answer> {
  const { openTarget } = await import('#server/stores/open-target.ts');
  const target = await openTarget(place, false);
  try {
    const generations = [];
    for (const name of await generationNames(target)) {
      const { taken_at, database, blobs, damaged } = await findGeneration(target, name);
      generations.push({
        generation: name,
        taken_at,
        database_bytes: database?.size_bytes ?? null,
        blobs,
        damaged_blobs: damaged,
      });
    }
    const rows = generations.map((one) => [
      one.generation,
      one.database_bytes === null ? 'PostgreSQL' : bytesWords(one.database_bytes),
      String(one.blobs.count),
      bytesWords(one.blobs.bytes),
      String(one.damaged_blobs.length),
    ]);
    const text = columns([['GENERATION', 'DATABASE', 'FILES', 'SIZE', 'DAMAGED'], ...rows]);
    return { json: { target: target.address, generations }, text };
  } finally {
    await target.close();
  }
}
