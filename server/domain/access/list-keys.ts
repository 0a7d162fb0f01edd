import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { ApiKey } from './api-key.ts';

interface Deps {
  readonly metadata: Reads<'apiKeys'>;
}

/** All keys that an account ever had, oldest first: the live, the expired and the revoked. */
export function listKeys({ metadata }: Deps, accountId: string): Promise<ApiKey[]> {
  return metadata.read.apiKeys.listOf(accountId);
}

/** The keys of an account that are neither revoked nor expired, oldest first. */
export function listLiveKeys(
  { metadata, clock }: Deps & { readonly clock: Clock },
  accountId: string,
): Promise<ApiKey[]> {
  return metadata.read.apiKeys.liveOf(accountId, clock.now());
}
