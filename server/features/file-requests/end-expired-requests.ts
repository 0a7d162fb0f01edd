import type { Metadata } from '#server/domain/ports/metadata.ts';
import { sweep } from '#server/domain/sweep.ts';
import { stateOf } from './file-request.ts';
import { recordRequestEnd } from './request-event.ts';

interface Deps {
  readonly metadata: Metadata<'events' | 'fileRequests'>;
}

/** Requests in one step, few enough not to delay others. */
const stepRequests = 200;

/**
 * Adds the event of each request whose deadline has passed, once. Senders are refused by the clock alone, so this may
 * come later. Returns how many requests it told of.
 */
export function endExpiredRequests({ metadata }: Deps, now: number): Promise<number> {
  return sweep(
    stepRequests,
    (limit) => metadata.read.fileRequests.expired(now, limit),
    async (requests) => {
      let told = 0;
      for (const { id, accountId } of requests) if (await end(metadata, id, accountId, now)) told++;
      return told;
    },
  );
}

function end(metadata: Deps['metadata'], requestId: string, accountId: string, now: number): Promise<boolean> {
  return metadata.atomically(
    async (tx) => {
      const request = await tx.fileRequests.find(requestId);
      // Its owner may have extended it meanwhile.
      if (!request || stateOf(request, now) !== 'expired') return false;
      return recordRequestEnd(tx, request, 'expired');
    },
    { account: accountId },
  );
}
