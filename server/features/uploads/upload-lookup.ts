import type { Caller } from '#server/domain/access/caller.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { coversKey } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import type { ChunkedUpload } from './chunked-upload.ts';
import { parseUploadHandle } from './handle.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads'>;
  readonly secrets: Pick<Secrets, 'verify'>;
}

declare module '#server/domain/upload-lookup.ts' {
  interface NamedUpload extends ChunkedUpload {}
}

/** Returns what finds the upload of a handle. */
export function uploadLookup(deps: Deps, caller: Caller, handle: string): UploadLookup {
  let found: Promise<ChunkedUpload> | undefined;
  const id = () => parseUploadHandle(deps.secrets, caller.account.id, handle);
  const findAgain = () => (found = findReached(deps, caller, id));
  return { handle, id, find: () => found ?? findAgain(), findAgain };
}

async function findReached({ metadata }: Deps, { key, token }: Caller, id: () => string): Promise<ChunkedUpload> {
  const upload = await metadata.read.chunkedUploads.find(id());
  if (!upload || upload.sentTo) throw new Refusal('UPLOAD_NOT_FOUND');
  if (token && upload.tokenId !== token.id) {
    throw new Refusal('INVALID_UPLOAD_TOKEN', {
      message: 'This upload token did not start that upload. Send the upload string of an upload that it started.',
    });
  }
  if (key.prefixes && !coversKey(key.prefixes, upload.resolved.address.key)) throw new Refusal('PREFIX_NOT_ALLOWED');
  return upload;
}
