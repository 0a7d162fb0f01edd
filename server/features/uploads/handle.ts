import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';

const purpose = 'chunked-upload';

/**
 * Formats the `upload` string by which clients name an upload: its id, a dot, and a signature that binds it to its
 * account. One upload always has the same string.
 */
export function formatUploadHandle(
  secrets: Pick<Secrets, 'sign'>,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): string {
  return `${id}.${secrets.sign(purpose, signed(accountId, id))}`;
}

/**
 * Reads the upload's id from a handle. The upload itself may be gone.
 *
 * @throws INVALID_UPLOAD_TOKEN if the handle is malformed, forged or of another account
 */
export function parseUploadHandle(secrets: Pick<Secrets, 'verify'>, accountId: string, handle: string): string {
  const [, id = '', signature = ''] = /^([a-z2-7]{26})\.([\w-]{43})$/.exec(handle) ?? [];
  if (!secrets.verify(purpose, signed(accountId, id), signature)) throw new Refusal('INVALID_UPLOAD_TOKEN');
  return id;
}

function signed(accountId: string, id: string): string {
  return `${accountId} ${id}`;
}
