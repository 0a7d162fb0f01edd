import { deployLeaseMs } from '../limits.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Deploy } from './deploy.ts';

/** Keeps a deploy for whoever runs it; answers whether it is still theirs. */
export function renewLease(
  { metadata }: { readonly metadata: Writes<'deploys'> },
  { id, lease }: Deploy,
): Promise<boolean> {
  return metadata.atomically(
    async (tx) => lease !== null && (await tx.deploys.renewLease(id, lease.id, tx.now + deployLeaseMs)),
  );
}
