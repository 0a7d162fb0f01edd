import type { Writes } from '../ports/metadata.ts';

/**
 * Frees the quota of uploads that an earlier process left unfinished, and marks their bytes for deletion. Run at start.
 */
export function abandonReservations({ metadata }: { readonly metadata: Writes<'reservations'> }): Promise<number> {
  return metadata.atomically(async (tx) => {
    const abandoned = await tx.reservations.all();
    for (const { id, blobId } of abandoned) {
      await tx.reservations.release(id);
      await tx.reservations.markForDeletion(blobId);
    }
    return abandoned.length;
  });
}
