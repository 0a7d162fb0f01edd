import { expiryMark, type Duration } from '#server/domain/duration.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { extensionOfName, isWellFormedExtension } from './file-type.ts';

/**
 * The text that Cubby added to a name to make a key. A file keeps it, because the key alone does not show it. `a.v1.gz`
 * may be named `a` or `a.v1`, and a name may look as if it had a hash or a mark.
 */
export interface KeySuffix {
  /** Random. Every private file has one. */
  readonly hash: string | null;
  /** `ex30` for a file that expires after 30 days. */
  readonly mark: string | null;
  /** Without its dot. Empty if there is none. */
  readonly extension: string;
}

/** Returns the mark of an expiry, or null for a file that is kept for good. */
export function markOf(expire: Duration | null): string | null {
  return expire && expiryMark(expire);
}

function textOf({ hash, mark, extension }: KeySuffix): string {
  return [
    hash === null ? '' : `_${hash}`,
    mark === null ? '' : `-${mark}`,
    extension === '' ? '' : `.${extension}`,
  ].join('');
}

/** Formats a key: `[prefix/]name[_hash][-exN].ext`. */
export function storedKey(prefix: Prefix | undefined, name: string, suffix: KeySuffix): string {
  return (prefix === undefined ? '' : `${prefix}/`) + name + textOf(suffix);
}

/** How many characters a hash has. */
const hashLength = 16;

/** Returns the text where the key has its hash, if it has one: before the mark and the extension. */
export function hashInKey({ key, suffix }: { readonly key: string; readonly suffix: KeySuffix }): string {
  const end = key.length - textOf({ ...suffix, hash: null }).length;
  return key.slice(end - hashLength, end);
}

/** Returns the file with another suffix behind the same name. */
export function withSuffix<O extends { readonly key: string; readonly suffix: KeySuffix }>(
  object: O,
  change: Partial<KeySuffix>,
): O {
  const suffix = { ...object.suffix, ...change };
  const name = object.key.slice(0, object.key.length - textOf(object.suffix).length);
  return { ...object, key: name + textOf(suffix), suffix };
}

/** Returns the file with a hash in its key, as every private file has one. One that it has stays. */
export function withHash<O extends { readonly key: string; readonly suffix: KeySuffix }>(
  object: O,
  ids: Pick<Ids, 'nameHash'>,
): O {
  return object.suffix.hash === null ? withSuffix(object, { hash: ids.nameHash() }) : object;
}

/** Returns the suffix of a key that Cubby did not make: its extension as it is spelt. It has no hash and no mark. */
export function suffixOfForeignKey(key: string): KeySuffix {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const lower = extensionOfName(name);
  const parts = lower === undefined ? 0 : isWellFormedExtension(lower) ? lower.split('.').length : 1;
  return { hash: null, mark: null, extension: parts === 0 ? '' : name.split('.').slice(-parts).join('.') };
}
