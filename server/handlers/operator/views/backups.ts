import type { GenerationList } from '#server/domain/backup/list-generations.ts';

/** Returns the generations of a target as the operator's API and `--json` show them. */
export function backupsView({ target, generations }: GenerationList) {
  return {
    target,
    generations: generations.map(({ name, generation: { taken_at: takenAt, database, blobs, damaged } }) => ({
      generation: name,
      taken_at: takenAt,
      database_bytes: database?.size_bytes ?? null,
      blobs: { count: blobs.count, bytes: blobs.bytes },
      damaged_blobs: [...damaged],
    })),
  };
}
