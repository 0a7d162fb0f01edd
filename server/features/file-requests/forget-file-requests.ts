import { forgetting } from '#server/domain/forgetting.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { endExpiredRequests } from './end-expired-requests.ts';

/** Adds the events of file requests whose deadline has passed. Removes what is left of deleted ones. */
export async function forgetFileRequests(
  deps: { readonly metadata: Metadata<'events' | 'fileRequests'> },
  now: number,
): Promise<number> {
  return (await endExpiredRequests(deps, now)) + (await forgetDeletedRequests(deps, now));
}

const forgetDeletedRequests = forgetting<'fileRequests'>((tx, _now, limit) => tx.fileRequests.forgetDeleted(limit));
