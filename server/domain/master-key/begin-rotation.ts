import type { AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Writes } from '../ports/metadata.ts';
import type { MasterKeyRotation } from './rotation.ts';

interface Deps {
  readonly metadata: Writes<'audit' | 'masterKeys'>;
}

/** Two master keys, each encrypted under the other one, with the values that recognise them. */
export type SealedKeys = Pick<MasterKeyRotation, 'check' | 'formerCheck' | 'sealedKey' | 'sealedFormer'>;

/**
 * Begins a rotation: from now on, every server learns both keys. It goes on with the former one.
 *
 * @param resumes whether to continue a rotation that has begun, with its own key
 * @returns the rotation that has begun
 */
export function beginRotation({ metadata }: Deps, keys: SealedKeys, resumes: boolean): Promise<MasterKeyRotation> {
  return metadata.atomically(async (tx) => {
    const last = await tx.masterKeys.lastRotation();
    const isUnfinished = last !== undefined && last.endedAt === null;
    if (isUnfinished && (last.inForceAt !== null || resumes)) return last;
    const rotation: MasterKeyRotation = {
      ...keys,
      number: isUnfinished ? last.number : (last?.number ?? 1) + 1,
      beganAt: tx.now,
      inForceAt: null,
      signsUntil: null,
      findsUntil: null,
      resealedAt: null,
      endedAt: null,
    };
    await tx.masterKeys.put(rotation);
    return rotation;
  });
}

interface PutInForce {
  readonly number: number;
  readonly graceMs: number;
  /** Whether the former key is known to others. Its signatures end at once. */
  readonly isLeaked: boolean;
  readonly by: AuditActor;
}

/** Puts the new key of a rotation that has begun in force. May be called twice. Returns the rotation. */
export function putInForce(
  { metadata }: Deps,
  { number, graceMs, isLeaked, by }: PutInForce,
): Promise<MasterKeyRotation> {
  return metadata.atomically(async (tx) => {
    const last = await tx.masterKeys.lastRotation();
    if (last?.number !== number) throw new Error('The rotation of the master key has been replaced by another one.');
    if (last.inForceAt !== null) return last;
    const findsUntil = tx.now + graceMs;
    const rotation = { ...last, inForceAt: tx.now, signsUntil: isLeaked ? tx.now : findsUntil, findsUntil };
    await tx.masterKeys.put(rotation);
    await tx.masterKeys.replaceCheck(rotation.check);
    const details = { number, grace_until: new Date(findsUntil).toISOString(), leaked: isLeaked };
    await recordAudit(tx, { action: 'master_key.rotated', by, accountId: null, subject: null, details });
    return rotation;
  });
}

/** Removes the new key that was stored under a leaked one, as soon as every server has it. */
export async function forgetSealedKey({ metadata }: Deps, number: number): Promise<void> {
  await metadata.atomically(async (tx) => {
    const last = await tx.masterKeys.lastRotation();
    if (last?.number === number) await tx.masterKeys.put({ ...last, sealedKey: null });
  });
}
