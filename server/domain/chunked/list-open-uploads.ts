import type { Caller } from '../access/caller.ts';
import { chunkedUploadIdleMs } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import { coversKey } from '../prefixes.ts';
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
