import type { Writes } from '../ports/metadata.ts';

/** At start: gives back the quota of uploads that an earlier process left unfinished, and dooms their bytes. */
export function abandonReservations({ metadata }: { readonly metadata: Writes<'reservations'> }): Promise<number> {
  return metadata.atomically(async (tx) => {
    const abandoned = await tx.reservations.all();
    for (const { id, blobId } of abandoned) {
      await tx.reservations.release(id);
      await tx.reservations.doom(blobId);
    }
    return abandoned.length;
  });
}
