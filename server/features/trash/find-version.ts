import type { Reach } from '#server/domain/access/requester.ts';
import { coversKey } from '#server/domain/prefixes.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import type { TrashedObject } from '#server/features/files/trash-table.ts';

/** Finds a version that the trash still keeps, under one of the prefixes. */
export async function findVersion(
  tx: Transaction<'trash'>,
  { accountId, prefixes }: Reach,
  versionId: string,
): Promise<TrashedObject | undefined> {
  const version = await tx.trash.find(accountId, versionId);
  const isSeen = version && version.purgeAt > tx.now && (prefixes === null || coversKey(prefixes, version.key));
  return isSeen ? version : undefined;
}
