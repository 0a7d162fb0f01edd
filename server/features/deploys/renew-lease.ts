import { deployLeaseMs } from './limits.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Deploy } from './deploy.ts';

/** Renews the lease of a running deploy. Returns whether the runner still has it. */
export function renewLease(
  { metadata }: { readonly metadata: Writes<'deploys'> },
  { id, lease }: Deploy,
): Promise<boolean> {
  return metadata.atomically(
    async (tx) => lease !== null && (await tx.deploys.renewLease(id, lease.id, tx.now + deployLeaseMs)),
  );
}
