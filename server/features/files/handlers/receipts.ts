import type { FilesHandlers } from '#generated/router.ts';
import type { ReplyHeaders } from '#server/http/reply.ts';
import { receiptKeys, receiptOf, type Statement } from '../receipt.ts';
import type { StoredObject } from '../object.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';

/** The header of receipts, which pages of other origins may read. */
const receiptHeader = 'X-Cubby-Receipt';

/** Returns the header with the receipt of a file; none while its SHA-256 is not known. */
export function receiptHeaders(
  secrets: Pick<Secrets, 'keyNumber' | 'signAsymmetric'>,
  { sha256, ...statement }: Omit<Statement, 'sha256'> & { readonly sha256: string | null },
): ReplyHeaders {
  return sha256 === null ? {} : { [receiptHeader]: receiptOf(secrets, { ...statement, sha256 }) };
}

/** Returns the header with the receipt of a download through a link. */
export function downloadReceipt(
  { secrets, clock }: Pick<CorePorts, 'secrets' | 'clock'>,
  object: StoredObject,
): ReplyHeaders {
  const { sizeBytes, sha256 } = object;
  return receiptHeaders(secrets, { action: 'download', object, sizeBytes, sha256, at: clock.now(), keyId: null });
}

/** Returns the handler of the public keys of receipts. */
export function receiptsHandlers({ secrets }: Pick<CorePorts, 'secrets'>) {
  return {
    async listReceiptKeys() {
      const headers = { 'Cache-Control': 'public, max-age=3600' };
      return { status: 200, body: { keys: receiptKeys(secrets) }, headers };
    },
  } satisfies Partial<FilesHandlers<Call>>;
}
