import { expiryMark, type Duration } from '../duration.ts';

/** What a stored key is made of. */
export interface KeyParts {
  /** Without a trailing slash. */
  readonly prefix: string | undefined;
  readonly name: string;
  readonly hash: string | undefined;
  readonly expire: Duration | undefined;
  /** Without its dot. */
  readonly extension: string;
}

/** `[prefix/]name[_hash][-exN].ext`. @see service.md, "Object (file)" */
export function storedKey({ prefix, name, hash, expire, extension }: KeyParts): string {
  return [prefix ? `${prefix}/` : '', name, hash ? `_${hash}` : '', expire ? `-${expiryMark(expire)}` : '', `.${extension}`].join('');
}
