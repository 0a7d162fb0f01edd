import { forgetting } from '#server/domain/forgetting.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';

/** Removes requests to models that are older than the operator keeps them. */
export function forgetAiRequests(
  deps: { readonly metadata: Writes<'aiRequests'>; readonly aiRequestsKeptMs: number },
  now: number,
): Promise<number> {
  const before = now - deps.aiRequestsKeptMs;
  return forgetting<'aiRequests'>((tx, _now, limit) => tx.aiRequests.forgetBefore(before, limit))(deps, now);
}
