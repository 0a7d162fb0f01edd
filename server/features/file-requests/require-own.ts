import type { Reach } from '#server/domain/access/requester.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { coversPrefix } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { FileRequest } from './file-request.ts';

interface Own extends Reach {
  readonly requestId: string;
}

/**
 * Finds a request of an account that a key may change.
 *
 * @throws FILE_REQUEST_NOT_FOUND when it is unknown, deleted, or another account's
 * @throws PREFIX_NOT_ALLOWED when its folder is outside the prefixes
 */
export async function requireOwn(
  { fileRequests }: Transaction<'fileRequests'>,
  { accountId, requestId, prefixes }: Own,
): Promise<FileRequest> {
  const request = await fileRequests.find(requestId);
  if (!request || request.accountId !== accountId) throw new Refusal('FILE_REQUEST_NOT_FOUND');
  if (prefixes && !coversPrefix(prefixes, request.prefix)) throw new Refusal('PREFIX_NOT_ALLOWED');
  return request;
}
