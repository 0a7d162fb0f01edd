/** Where a file is: public, private, or in the space of before. */
type Space = 'public' | 'private' | 'legacy';

/**
 * Returns the key within an id: `pub/<account>/<key>`, `prv/<account>/<key>`, or `<account>/<key>` of a legacy file.
 */
export function keyOf(id: string): string {
  return id.replace(/^(pub|prv)\//, '').replace(/^[^/]+\//, '');
}

/** Returns the last segment of a key, or of a folder that ends in `/`. */
export function nameOf(key: string): string {
  return key.replace(/\/$/, '').split('/').at(-1) ?? key;
}

export function spaceOf(id: string): Space {
  return id.startsWith('pub/') ? 'public' : id.startsWith('prv/') ? 'private' : 'legacy';
}

/** Whether a text is a folder by the rule of the contract's ObjectPrefix. */
export function isFolder(text: string): boolean {
  return folder.test(text);
}

const folder =
  /^(?!.*\.\.)(?=.{1,256}\/?$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}){0,7}\/?$/;

/** The same rule for the `pattern` of a field. Length and `..` are left to the server. */
export const folderPattern = '[A-Za-z0-9_][A-Za-z0-9_.\\-]{0,63}(/[A-Za-z0-9_][A-Za-z0-9_.\\-]{0,63}){0,7}/?';

/** Returns the folder above of a prefix: `a/b/` has `a/`. */
export function folderAbove(prefix: string): string {
  return prefix.replace(/\/$/, '').replace(/[^/]+$/, '');
}

/** Returns a folder as the contract's ObjectPrefix: without a slash at its end. */
export function withoutSlash(prefix: string): string {
  return prefix.replace(/\/$/, '');
}
