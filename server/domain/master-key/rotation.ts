/**
 * A rotation of the master key as it is stored. Instants are milliseconds since the epoch.
 *
 * 1. It begins: every server learns both keys, and goes on with the former one.
 * 2. The new key comes into force. The grace period of the former one begins.
 * 3. It ends. The former key is worth nothing any more.
 */
export interface MasterKeyRotation {
  /** The number of the new key. The first key of an installation has the number 1. */
  readonly number: number;
  /** Recognises the new key. @see server/stores/system/master-key.ts */
  readonly check: string;
  readonly formerCheck: string;
  readonly beganAt: number;
  /** Null before the new key comes into force. So are the next two. */
  readonly inForceAt: number | null;
  /** Signatures under the former key are valid until then. */
  readonly signsUntil: number | null;
  /** Hashes under the former key are looked up until then. It is the end of the grace period. */
  readonly findsUntil: number | null;
  /** When everything that the server can read was encrypted anew under the new key. */
  readonly resealedAt: number | null;
  readonly endedAt: number | null;
  /** The new key, encrypted under the former one; null once nobody may open it any more. */
  readonly sealedKey: string | null;
  /** The former key, encrypted under the new one; null once it ended. */
  readonly sealedFormer: string | null;
}

/**
 * - `begun`: the new key is known, and not in force
 * - `grace`: both keys are valid
 * - `over`: the grace period is over, or the rotation was ended
 */
type RotationState = 'begun' | 'grace' | 'over';

export function stateOf({ inForceAt, findsUntil, endedAt }: MasterKeyRotation, now: number): RotationState {
  if (endedAt !== null) return 'over';
  if (inForceAt === null) return 'begun';
  return now < findsUntil! ? 'grace' : 'over';
}

/** Returns the check value of the key in force. */
export function checkInForce({ inForceAt, check, formerCheck }: MasterKeyRotation): string {
  return inForceAt === null ? formerCheck : check;
}

/** Whether the former key has leaked, so that its signatures ended when the new key came into force. */
export function isLeaked({ inForceAt, signsUntil }: MasterKeyRotation): boolean {
  return inForceAt !== null && signsUntil === inForceAt;
}
