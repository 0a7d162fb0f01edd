import { expiryMark, type Duration } from '../duration.ts';
import { extensionOfName } from './file-type.ts';

/** A stored key taken apart; put together again it is the same key. */
interface TakenApart {
  /** Folders with their trailing slash, or ''. */
  readonly folders: string;
  readonly name: string;
  /** `_` and the hash, or ''. */
  readonly hash: string;
  /** `-ex30`, or ''. */
  readonly mark: string;
  /** With its dot, or ''. */
  readonly extension: string;
}

function takeApart(key: string): TakenApart {
  const slash = key.lastIndexOf('/') + 1;
  const last = key.slice(slash);
  const extension = extensionOfName(last);
  const stem = extension === undefined ? last : last.slice(0, -(extension.length + 1));
  const [, name = stem, hash = '', mark = ''] = /^(.+?)(_[a-z2-7]{16})?(-ex[1-9][0-9]*h?)?$/.exec(stem) ?? [];
  return { folders: key.slice(0, slash), name, hash, mark, extension: last.slice(stem.length) };
}

function putTogether({ folders, name, hash, mark, extension }: TakenApart): string {
  return folders + name + hash + mark + extension;
}

/** Whether the key carries a random hash, as every private file's does. */
export function hasHash(key: string): boolean {
  return takeApart(key).hash !== '';
}

/** The key with this hash in the place of its own, or of none. */
export function withHash(key: string, hash: string): string {
  return putTogether({ ...takeApart(key), hash: `_${hash}` });
}

/** The key with the mark of this expiry in the place of its own; without one when the file no longer expires. */
export function withExpiry(key: string, expire: Duration | null): string {
  return putTogether({ ...takeApart(key), mark: expire ? `-${expiryMark(expire)}` : '' });
}

/** Where a copy goes: the extension stays the source's, and so does its expiry mark unless the copy has an expiry of its own. */
export interface CopyName {
  /** Without a trailing slash. */
  readonly prefix: string | undefined;
  readonly name: string;
  readonly hash: string | undefined;
  /** `undefined` keeps the source's mark, null has none. */
  readonly expire: Duration | null | undefined;
}

/** The key of a copy. */
export function copiedKey(source: string, { prefix, name, hash, expire }: CopyName): string {
  const { mark, extension } = takeApart(source);
  const copied = { folders: prefix ? `${prefix}/` : '', name, hash: hash ? `_${hash}` : '', mark, extension };
  return putTogether(expire === undefined ? copied : { ...copied, mark: expire ? `-${expiryMark(expire)}` : '' });
}
