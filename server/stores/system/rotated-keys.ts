import type { SealedKeys } from '#server/domain/master-key/begin-rotation.ts';
import { checkInForce, stateOf, type MasterKeyRotation } from '#server/domain/master-key/rotation.ts';
import type { RingKey, RingKeys } from './key-ring.ts';
import { keyCheckOf, keyPlaceHolds, MasterKeyUnusable, wrongMasterKey, type KeyPlace } from './master-key.ts';
import { keySecrets } from './secrets.ts';

const purpose = 'master-key';

/** Encrypts two master keys under each other, so that a server with one of them can open both. */
export function sealKeys(former: Uint8Array, next: Uint8Array): SealedKeys {
  const [check, formerCheck] = [keyCheckOf(next), keyCheckOf(former)];
  return {
    check,
    formerCheck,
    sealedKey: keySecrets(former, 0).seal(purpose, textOf(next), check),
    sealedFormer: keySecrets(next, 0).seal(purpose, textOf(former), formerCheck),
  };
}

/** A master key is text of an operator or hexadecimal digits. */
function textOf(key: Uint8Array): string {
  return Buffer.from(key).toString('utf8');
}

/** Opens a key that was encrypted under one of `known`. */
function open(known: readonly Uint8Array[], sealed: string | null, check: string): Uint8Array | undefined {
  if (sealed === null) return undefined;
  for (const key of known) {
    const text = keySecrets(key, 0).unseal(purpose, sealed, check);
    if (text !== undefined) return Buffer.from(text);
  }
  return undefined;
}

/** What is stored about the master key of an installation. */
interface StoredKeys {
  /** The check value of the key in force. */
  readonly check: string;
  readonly rotation: MasterKeyRotation | undefined;
}

/**
 * Returns the master keys that are valid, out of those that this process knows and what is stored about them.
 *
 * @param known the configured key, and those that were opened before
 * @returns undefined if the key in force cannot be opened. Then `known` has another key
 */
export function openKeys(
  known: readonly Uint8Array[],
  { check, rotation }: StoredKeys,
  now: number,
): RingKeys | undefined {
  const knownAs = (value: string) => known.find((key) => keyCheckOf(key) === value);
  const number = rotation?.number ?? 1;
  if (!rotation || rotation.endedAt !== null) {
    const only = knownAs(check);
    return only && [lasting(only, number)];
  }
  const isOver = stateOf(rotation, now) === 'over';
  // A key whose time is over opens nothing, even if the row is still there.
  const next = knownAs(rotation.check) ?? (isOver ? undefined : open(known, rotation.sealedKey, rotation.check));
  const former = knownAs(rotation.formerCheck) ?? open(next ? [next] : [], rotation.sealedFormer, rotation.formerCheck);
  const isInForce = checkInForce(rotation) === rotation.check;
  const current = isInForce ? next : former;
  if (!current || keyCheckOf(current) !== check) return undefined;
  if (!isInForce) return [lasting(current, number - 1), ...(next ? [lasting(next, number)] : [])];
  const { signsUntil, findsUntil } = rotation;
  if (!former || isOver) return [lasting(current, number)];
  return [
    lasting(current, number),
    { bytes: former, number: number - 1, signsUntil: signsUntil!, findsUntil: findsUntil! },
  ];
}

function lasting(bytes: Uint8Array, number: number): RingKey {
  return { bytes, number, signsUntil: Infinity, findsUntil: Infinity };
}

export interface ConfiguredKey {
  /** The name of the database, for people. */
  readonly database: string;
  readonly masterKey: Uint8Array;
}

/**
 * Returns the master keys that are valid.
 *
 * @throws {MasterKeyUnusable} if it is not a key of this database, or one whose time is over
 */
export function requireKeys(
  place: KeyPlace,
  { database, masterKey }: ConfiguredKey,
  stored: StoredKeys,
  now: number,
): RingKeys {
  const keys = openKeys([masterKey], stored, now);
  if (keys) return keys;
  const { rotation } = stored;
  throw rotation && keyCheckOf(masterKey) === rotation.formerCheck
    ? formerMasterKey(place, rotation)
    : wrongMasterKey(place, database);
}

function formerMasterKey(place: KeyPlace, { inForceAt, number }: MasterKeyRotation): MasterKeyUnusable {
  const since = inForceAt === null ? '' : ` on ${new Date(inForceAt).toISOString()}`;
  return new MasterKeyUnusable(
    `${keyPlaceHolds(place)} the master key number ${number - 1}, which "cubby master-key rotate" ` +
      `replaced${since}, and its grace period is over. ` +
      `Put the master key number ${number} there, which the other servers use.`,
  );
}
