import { serverActor, type AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Metadata, Writes } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { reseal, type Reseal } from './reseal.ts';
import { isLeaked, stateOf } from './rotation.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  /** What stores the rows of features under the current key. */
  readonly reseals: readonly Reseal[];
  readonly signal?: AbortSignal;
}

/**
 * How long a server may still write under the former key, because it has not noticed the new one. A pass after that
 * finds what it wrote.
 */
const settledMs = 60_000;

/**
 * Goes on with a rotation of the master key, if there is one: stores everything under the new key that the server can
 * read, and ends the rotation when its grace period is over. Returns how many rows it changed.
 */
export async function finishMasterKeyRotation(deps: Deps, now: number): Promise<number> {
  const { metadata, secrets } = deps;
  const rotation = await metadata.read.masterKeys.lastRotation();
  if (!rotation || rotation.endedAt !== null || rotation.inForceAt === null) return 0;
  // This process may not have noticed yet that the key changed. The next run goes on.
  if (secrets.keyNumber !== rotation.number) return 0;
  if (stateOf(rotation, now) === 'over') {
    await endRotation({ metadata }, serverActor);
    return 1;
  }
  if (rotation.resealedAt !== null) return 0;
  const count = await reseal(deps, rotation);
  if (now - rotation.inForceAt >= settledMs) await noteResealed({ metadata }, rotation.number);
  return count;
}

async function noteResealed({ metadata }: { readonly metadata: Writes<'masterKeys'> }, number: number): Promise<void> {
  await metadata.atomically(async (tx) => {
    const last = await tx.masterKeys.lastRotation();
    if (last?.number !== number || last.endedAt !== null) return;
    // The command removes the key too, unless it was cut off.
    const sealedKey = isLeaked(last) ? null : last.sealedKey;
    await tx.masterKeys.put({ ...last, sealedKey, resealedAt: tx.now });
  });
}

/** Ends a rotation whose key is in force. From then on the former master key is worth nothing. May be called twice. */
export async function endRotation(
  { metadata }: { readonly metadata: Writes<'audit' | 'masterKeys'> },
  by: AuditActor,
): Promise<void> {
  await metadata.atomically(async (tx) => {
    const last = await tx.masterKeys.lastRotation();
    if (!last || last.inForceAt === null || last.endedAt !== null) return;
    await tx.masterKeys.put({ ...last, endedAt: tx.now, sealedKey: null, sealedFormer: null });
    const details = { number: last.number, grace_until: new Date(last.findsUntil!).toISOString() };
    await recordAudit(tx, { action: 'master_key.grace_ended', by, accountId: null, subject: null, details });
  });
}
