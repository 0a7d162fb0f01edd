import type { Caller } from '../access/caller.ts';
import { coversKey } from '../prefixes.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import type { ChunkedUpload } from './chunked-upload.ts';
import { parseUploadHandle } from './handle.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads'>;
  readonly secrets: Pick<Secrets, 'verify'>;
}

/**
 * The upload that a handle names, in whatever state, as far as the caller reaches it: an upload token only what it
 * opened, a restricted key only what lies within its prefixes.
 *
 * @throws INVALID_UPLOAD_TOKEN, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED
 */
export async function findChunkedUpload(
  { metadata, secrets }: Deps,
  { account, key, token }: Caller,
  handle: string,
): Promise<ChunkedUpload> {
  const upload = await metadata.read.chunkedUploads.find(parseUploadHandle(secrets, account.id, handle));
  if (!upload) throw new Refusal('UPLOAD_NOT_FOUND');
  if (token && upload.tokenId !== token.id) {
    throw new Refusal('INVALID_UPLOAD_TOKEN', {
      message: 'This upload token did not open that upload. Send the upload string that its own start answered.',
    });
  }
  if (key.prefixes && !coversKey(key.prefixes, upload.plan.address.key)) throw new Refusal('PREFIX_NOT_ALLOWED');
  return upload;
}
