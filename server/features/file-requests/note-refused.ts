import type { Writes } from '#server/domain/ports/metadata.ts';
import type { FileRequest } from './file-request.ts';
import type { RefusedFile } from './sender.ts';

/** The most files that are shown. */
const maxNoted = 100;

/** Notes the files of a sender's last form that were not stored, for the page that the browser is redirected to. */
export async function noteRefused(
  { metadata }: { readonly metadata: Writes<'fileRequests'> },
  { id, accountId }: FileRequest,
  senderHash: string,
  refused: readonly RefusedFile[],
): Promise<void> {
  const noted = refused.slice(0, maxNoted);
  await metadata.atomically((tx) => tx.fileRequests.noteRefused(id, senderHash, noted), { account: accountId });
}
