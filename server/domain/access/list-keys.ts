import type { Metadata } from '../ports/metadata.ts';
import type { ApiKey } from './api-key.ts';

/** All keys that an account ever had, oldest first: the live, the expired and the revoked. */
export function listKeys({ metadata }: { readonly metadata: Pick<Metadata, 'read'> }, accountId: string): Promise<ApiKey[]> {
  return metadata.read.apiKeys.listOf(accountId);
}
