import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';

const purpose = 'chunked-upload';

/**
 * The `upload` string by which clients name an upload: its id, a dot, and a signature that binds it to its account. The
 * same upload always has the same one.
 */
export function formatUploadHandle(
  secrets: Pick<Secrets, 'sign'>,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): string {
  return `${id}.${secrets.sign(purpose, signed(accountId, id))}`;
}

/**
 * The id of the upload that a handle names. Says nothing of whether it is still there.
 *
 * @throws INVALID_UPLOAD_TOKEN when it is malformed, forged, or of another account
 */
export function parseUploadHandle(secrets: Pick<Secrets, 'verify'>, accountId: string, handle: string): string {
  const [, id = '', signature = ''] = /^([a-z2-7]{26})\.([\w-]{43})$/.exec(handle) ?? [];
  if (!secrets.verify(purpose, signed(accountId, id), signature)) throw new Refusal('INVALID_UPLOAD_TOKEN');
  return id;
}

function signed(accountId: string, id: string): string {
  return `${accountId} ${id}`;
}
