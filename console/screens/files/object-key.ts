import { isFolder, nameOf } from '../../files/object-id.ts';

export function isLegacy(id: string): boolean {
  return !/^(pub|prv)\//.test(id);
}

/** Returns the folder of a key without a trailing slash; undefined at the top. */
export function folderOf(key: string): string | undefined {
  const end = key.lastIndexOf('/');
  return end < 0 ? undefined : key.slice(0, end);
}

/**
 * Returns the part of a key that a person named: without folders, extension, expiry mark, and without the hash that
 * private keys carry. A copy gets those parts from the server.
 */
export function givenName(key: string): string {
  return nameOf(key)
    .replace(/(?<=.)\.[A-Za-z0-9]{1,16}$/, '')
    .replace(/-ex\d+h?$/, '')
    .replace(/_[a-z0-9]{16}$/, '');
}

/** Returns whether a name is allowed, by the rule of the contract's ObjectName. */
export function isName(name: string): boolean {
  return /^(?!.*\.\.)(?!.*\.$)(?!.*-ex[0-9]+h?$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(name);
}

/** Returns whether a text is a folder of the contract's ObjectPrefix, or empty for the top. */
export function isFolderOrTop(text: string): boolean {
  return text === '' || isFolder(text);
}
