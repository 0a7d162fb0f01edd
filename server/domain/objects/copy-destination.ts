import type { Duration } from '../duration.ts';
import { Refusal } from '../refusal.ts';
import { requireExtension, requireSize } from '../rules/require-rule.ts';
import type { Rule } from '../rules/rule.ts';
import { got } from '../shown-value.ts';
import { isBlocked } from './file-type.ts';
import { isKey, type ObjectAddress } from '../object-id.ts';
import { endingOfForeignKey, markOf, storedKey } from './key.ts';
import type { StoredObject } from './object.ts';
import { readExpire } from '../file-options.ts';

export interface CopyDestination {
  readonly name: string;
  /** Without a trailing slash; undefined for the root. */
  readonly prefix: string | undefined;
  /** As the source when undefined. */
  readonly isPrivate: boolean | undefined;
  /** Undefined keeps the source's date, null keeps the copy for good. */
  readonly expire: string | null | undefined;
  readonly securityHash: boolean | undefined;
}

/** A destination with its duration read and nothing left to the source but what only its row knows. */
export interface ReadDestination extends Pick<CopyDestination, 'name' | 'prefix'> {
  /** As it was said; undefined leaves it to the rule of its prefix, and to the source. */
  readonly isPrivate: boolean | undefined;
  /** Undefined keeps the source's date and mark. */
  readonly expire: Duration | null | undefined;
  readonly securityHash: boolean | undefined;
}

/**
 * Reads where a copy is to go. Nothing of the account is needed and nothing that is stored, so it can be asked before
 * the plan.
 *
 * @throws INVALID_OBJECT_EXPIRE, INVALID_OBJECT_SECURITY_HASH
 */
export function readDestination(
  source: Pick<ObjectAddress, 'space'>,
  { name, prefix, expire: text, securityHash, ...destination }: CopyDestination,
): ReadDestination {
  const expire = readExpire(text);
  const { isPrivate } = destination;
  if ((isPrivate ?? source.space === 'private') && securityHash === false)
    throw new Refusal('INVALID_OBJECT_SECURITY_HASH');
  return { name, prefix, isPrivate, expire, securityHash };
}

/**
 * Where the copy of a file lies: always in the current storage, so a move also brings a legacy file over. It keeps the
 * source's extension; where that has none, the copy's name says what it is. A rule of its prefix binds it as it binds
 * uploads, and makes it private where nobody says otherwise; it never makes public what is private.
 *
 * @param rule of the copy's prefix
 * @param hash for a copy that is to have one
 * @throws BLOCKED_FILE_TYPE, INVALID_OBJECT_NAME when the source's extension leaves no room for it in a key; with the
 *   prefix of the rule
 *   FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE, INVALID_OBJECT_SECURITY_HASH
 */
export function targetOf(
  source: StoredObject,
  { name, prefix, expire, securityHash, ...said }: ReadDestination,
  rule: Rule | undefined,
  hash: string,
): Pick<StoredObject, 'accountId' | 'space' | 'key' | 'ending'> {
  const named = source.ending.extension === '' ? endingOfForeignKey(name).extension : '';
  if (isBlocked(named.toLowerCase())) throw new Refusal('BLOCKED_FILE_TYPE', { detail: got(named) });
  const isPrivate = said.isPrivate ?? (source.space === 'private' || rule?.isPrivate === true);
  if (isPrivate && securityHash === false) {
    throw new Refusal('INVALID_OBJECT_SECURITY_HASH', {
      message:
        'The rule of this prefix makes files private, and private files always carry the hash. Leave security_hash out, or send private: false with it.',
      ...(rule && { prefix: rule.prefix }),
    });
  }
  const extension = named || source.ending.extension;
  if (rule) requireExtension(rule, extension.toLowerCase());
  if (rule) requireSize(rule, source.sizeBytes);
  const ending = {
    hash: isPrivate || securityHash ? hash : null,
    mark: expire === undefined ? source.ending.mark : markOf(expire),
    extension,
  };
  const key = storedKey(prefix, named === '' ? name : name.slice(0, -(named.length + 1)), ending);
  if (!isKey(key)) {
    throw new Refusal('INVALID_OBJECT_NAME', {
      message:
        "With its prefix and the source's extension this name makes a key of more than 1024 bytes. Choose a shorter one.",
    });
  }
  return { accountId: source.accountId, space: isPrivate ? 'private' : 'public', key, ending };
}
