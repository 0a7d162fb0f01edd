import type { Statement } from '#server/features/files/receipt.ts';
import { receiptHeaders } from '#server/features/files/handlers/receipts.ts';
import type { S3Context } from './context.ts';

/** A file that a request has stored. */
type Stored = Pick<Statement, 'object' | 'sizeBytes' | 'at'> & { readonly sha256: string | null };

/** Returns the header with the receipt of a file that was stored; none while its SHA-256 is not known. */
export function uploadReceipt(
  { secrets, caller }: Pick<S3Context, 'secrets' | 'caller'>,
  { object, sizeBytes, sha256, at }: Stored,
): Readonly<Record<string, string>> {
  return receiptHeaders(secrets, { action: 'upload', object, sizeBytes, sha256, at, keyId: caller.key.id });
}
