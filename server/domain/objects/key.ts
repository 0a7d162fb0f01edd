import { expiryMark, type Duration } from '../duration.ts';
import { extensionOfName, isWellFormedExtension } from './file-type.ts';

/**
 * What Cubby has added to a name to make a key of it. A file keeps it, because its key alone does not tell: `a.v1.gz`
 * may be named `a` or `a.v1`, and a name may look as if it held a hash or a mark.
 */
export interface KeyEnding {
  /** Random; every private file has one. */
  readonly hash: string | null;
  /** `ex30`, of a file that expires. */
  readonly mark: string | null;
  /** Without its dot; empty when there is none. */
  readonly extension: string;
}

/** The ending of a new file's key. */
export function endingOf({
  hash,
  expire,
  extension,
}: {
  readonly hash: string | undefined;
  readonly expire: Duration | null;
  readonly extension: string;
}): KeyEnding {
  return { hash: hash ?? null, mark: markOf(expire), extension };
}

/** The mark of an expiry; null for a file that is kept for good. */
export function markOf(expire: Duration | null): string | null {
  return expire && expiryMark(expire);
}

function textOf({ hash, mark, extension }: KeyEnding): string {
  return [
    hash === null ? '' : `_${hash}`,
    mark === null ? '' : `-${mark}`,
    extension === '' ? '' : `.${extension}`,
  ].join('');
}

/**
 * `[prefix/]name[_hash][-exN].ext`.
 *
 * @param prefix without a trailing slash
 */
export function storedKey(prefix: string | undefined, name: string, ending: KeyEnding): string {
  return (prefix ? `${prefix}/` : '') + name + textOf(ending);
}

/** The same with another ending behind the same name. */
export function withEnding<O extends { readonly key: string; readonly ending: KeyEnding }>(
  object: O,
  change: Partial<KeyEnding>,
): O {
  const ending = { ...object.ending, ...change };
  const name = object.key.slice(0, object.key.length - textOf(object.ending).length);
  return { ...object, key: name + textOf(ending), ending };
}

/**
 * The ending of a key that Cubby has not made, as of a legacy file: its extension, as it is spelt, and nothing else,
 * whatever the rest looks like.
 */
export function endingOfForeignKey(key: string): KeyEnding {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const lower = extensionOfName(name);
  const parts = lower === undefined ? 0 : isWellFormedExtension(lower) ? lower.split('.').length : 1;
  return { hash: null, mark: null, extension: parts === 0 ? '' : name.split('.').slice(-parts).join('.') };
}
