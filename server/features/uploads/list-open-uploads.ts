import type { Caller } from '#server/domain/access/caller.ts';
import { chunkedUploadIdleMs } from '#server/domain/limits.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { coversKey } from '#server/domain/prefixes.ts';
import type { ChunkedUpload } from './chunked-upload.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads'>;
  readonly clock: Clock;
}

/**
 * Returns the account's own open uploads, oldest first. A restricted key sees those within its prefixes. What others
 * send to its file requests is not listed before it has arrived.
 */
export async function listOpenUploads(
  { metadata, clock }: Deps,
  { account, key: { prefixes } }: Caller,
): Promise<ChunkedUpload[]> {
  const open = await metadata.read.chunkedUploads.openOf(account.id, clock.now() - chunkedUploadIdleMs);
  return open.filter(({ resolved, sentTo }) => !sentTo && (!prefixes || coversKey(prefixes, resolved.address.key)));
}
