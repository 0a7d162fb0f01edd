/**
 * The id of a blob: 26 base-32 characters (130 bits). A dot and 6 more name the root key if its bytes are encrypted. It
 * becomes a part of paths, so nothing else is one.
 */
const blobId = /^[a-z2-7]{26}(?:\.[a-z2-7]{6})?$/;

const plainLetters = 26;

/** The characters of the id of a root key, and their number. */
export const rootIdAlphabet = 'abcdefghijklmnopqrstuvwxyz234567';
export const rootIdLetters = 6;

export function isBlobId(text: string): boolean {
  return blobId.test(text);
}

/** Returns the id of the root key that the bytes of a blob are encrypted with. Undefined: they are not encrypted. */
export function rootIdOf(id: string): string | undefined {
  return id[plainLetters] === '.' ? id.slice(plainLetters + 1) : undefined;
}

/** Returns the id of a blob whose bytes are encrypted with this root key. */
export function encryptedBlobId(plainId: string, rootId: string): string {
  return `${plainId}.${rootId}`;
}
