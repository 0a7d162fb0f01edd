import type { Duration } from '#server/domain/duration.ts';
import { readExpire, readPrefix } from '#server/domain/file-options.ts';
import { isKey, type ObjectAddress } from '#server/domain/object-id.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireAllowed } from '#server/features/rules/require-rule.ts';
import type { Rule } from '#server/features/rules/rule.ts';
import { got } from '#server/domain/error-value.ts';
import { isBlocked } from '../file-type.ts';
import { suffixOfForeignKey, markOf, storedKey } from '../key.ts';
import type { StoredObject } from '../object.ts';

/** A destination as it was sent. */
interface CopyDestination {
  readonly name: string;
  /** With or without a trailing slash. Empty or undefined for the root. */
  readonly prefix: string | undefined;
  /** Undefined keeps the source's visibility, unless a rule makes the copy private. */
  readonly isPrivate: boolean | undefined;
  /** Undefined keeps the source's date, null keeps the copy for good. */
  readonly expire: string | number | null | undefined;
  readonly securityHash: boolean | undefined;
}

/** A destination whose texts were parsed. */
export interface ReadDestination extends Omit<CopyDestination, 'prefix' | 'expire'> {
  readonly prefix: Prefix | undefined;
  /** Undefined keeps the source's date and mark. */
  readonly expire: Duration | null | undefined;
}

/**
 * Parses the destination of a copy. It needs no stored data, so it runs before the plan is checked.
 *
 * @throws INVALID_OBJECT_PREFIX, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_SECURITY_HASH
 */
export function readDestination(source: Pick<ObjectAddress, 'space'>, destination: CopyDestination): ReadDestination {
  const { isPrivate, securityHash } = destination;
  const read = { ...destination, prefix: readPrefix(destination.prefix), expire: readExpire(destination.expire) };
  if ((isPrivate ?? source.space === 'private') && securityHash === false)
    throw new Refusal('INVALID_OBJECT_SECURITY_HASH');
  return read;
}

/**
 * Returns the address of a copy. It is always in the current storage, so a move also brings a legacy file there. The
 * copy keeps the source's extension. If the source has none, the copy's name may bring one. The rule of the copy's
 * prefix applies to it as to uploads. The rule makes the copy private unless the request says otherwise, but never
 * public.
 *
 * @param rule of the copy's prefix
 * @param hash used if the copy needs one
 * @throws BLOCKED_FILE_TYPE
 * @throws INVALID_OBJECT_NAME if the key would be too long
 * @throws FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE, INVALID_OBJECT_SECURITY_HASH with the rule's prefix
 */
export function targetOf(
  source: StoredObject,
  { name, prefix, expire, securityHash, ...said }: ReadDestination,
  rule: Rule | undefined,
  hash: string,
): Pick<StoredObject, 'accountId' | 'space' | 'key' | 'suffix'> {
  const named = source.suffix.extension === '' ? suffixOfForeignKey(name).extension : '';
  if (isBlocked(named.toLowerCase())) throw new Refusal('BLOCKED_FILE_TYPE', { detail: got(named) });
  const space = spaceOfCopy(source, said.isPrivate, rule);
  const isPrivate = space === 'private';
  if (isPrivate && securityHash === false) {
    throw new Refusal('INVALID_OBJECT_SECURITY_HASH', {
      message:
        'The rule of this prefix makes files private, and private files always carry the hash. Leave ' +
        'security_hash out, or send private: false with it.',
      ...(rule && { prefix: rule.prefix }),
    });
  }
  const extension = named || source.suffix.extension;
  requireAllowed(rule, extension, source.sizeBytes);
  const suffix = {
    hash: isPrivate || securityHash ? hash : null,
    mark: expire === undefined ? source.suffix.mark : markOf(expire),
    extension,
  };
  const key = storedKey(prefix, named === '' ? name : name.slice(0, -(named.length + 1)), suffix);
  if (!isKey(key)) {
    throw new Refusal('INVALID_OBJECT_NAME', {
      message:
        "With its prefix and the source's extension this name makes a key of more than 1024 bytes. Choose a " +
        'shorter one.',
    });
  }
  return { accountId: source.accountId, space, key, suffix };
}

/**
 * Returns the visibility of a copy or a moved file. A rule makes it private unless the request says otherwise, but
 * never public.
 *
 * @param isPrivate as the request says it
 */
export function spaceOfCopy(
  source: Pick<ObjectAddress, 'space'>,
  isPrivate: boolean | undefined,
  rule: Pick<Rule, 'isPrivate'> | undefined,
): 'private' | 'public' {
  return (isPrivate ?? (source.space === 'private' || rule?.isPrivate === true)) ? 'private' : 'public';
}
