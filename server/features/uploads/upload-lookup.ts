import type { Caller } from '#server/domain/access/caller.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { coversKey } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { ChunkedUpload } from './chunked-upload.ts';
import { parseUploadHandle } from './handle.ts';

interface Deps {
  readonly metadata: Reads<'chunkedUploads'>;
  readonly secrets: Pick<Secrets, 'verify'>;
}

/** The upload that one request names. Its row is read once, even if several steps of the request find it. */
export interface UploadLookup {
  /** The `upload` string that the client sent. */
  readonly handle: string;
  /**
   * Reads the id from the handle.
   *
   * @throws INVALID_UPLOAD_TOKEN if the handle is malformed, forged or of another account
   */
  id(): string;
  /**
   * Finds the upload in any state, if the caller may reach it. An upload token reaches the uploads that it opened. A
   * restricted key reaches those within its prefixes.
   *
   * @throws INVALID_UPLOAD_TOKEN, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED
   */
  find(): Promise<ChunkedUpload>;
  /** Like {@link find}, but reads the row again. */
  findAgain(): Promise<ChunkedUpload>;
}

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
