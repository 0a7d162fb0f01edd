import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';

/**
 * Frees the quota of uploads that a process left unfinished when it ended, or that all earlier ones did. Marks their
 * bytes for deletion. Returns how many there were.
 */
export async function abandonReservations(
  { metadata }: { readonly metadata: Writes<'reservations'> },
  owner?: string,
): Promise<number> {
  const abandoned = await metadata.atomically(({ reservations }) =>
    owner === undefined ? reservations.all() : reservations.ofOwner(owner),
  );
  let released = 0;
  for (const { id, blobId, accountId } of abandoned) {
    const release = async ({ reservations }: Transaction<'reservations'>): Promise<number> => {
      // An upload that ended meanwhile has named its bytes.
      if (!(await reservations.release(id))) return 0;
      await reservations.markForDeletion(blobId);
      return 1;
    };
    released += await metadata.atomically(release, { account: accountId });
  }
  return released;
}
