import { randomBytes, randomInt } from 'node:crypto';

import type { Ids } from '#server/domain/ports/ids.ts';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** In the order of its bytes. */
const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';

/** As many letters of base 36 as count the milliseconds of a thousand years. */
const instantLetters = 9;

/** Bytes of one draw. Each draw enters the kernel, which costs more than the letters. */
const drawnBytes = 4096;

const base32Text = randomText(base32);
const base36Text = randomText(base36);

/** Returns a function that returns `length` random letters. Each letter that is drawn is used once. */
function randomText(alphabet: string): (length: number) => string {
  /** Letters in ASCII. */
  let drawn = Buffer.alloc(0);
  let used = 0;
  return (length) => {
    if (used + length > drawn.length) [drawn, used] = [randomLetters(alphabet), 0];
    return drawn.toString('latin1', used, (used += length));
  };
}

/** Bytes behind the last multiple of the alphabet's length are left out, so that every letter is equally likely. */
function randomLetters(alphabet: string): Buffer<ArrayBuffer> {
  const bytes = randomBytes(drawnBytes).filter((byte) => byte < 256 - (256 % alphabet.length));
  return Buffer.from(bytes.map((byte) => alphabet.charCodeAt(byte % alphabet.length)));
}

/** Returns an instant in base 36. A later one sorts behind. */
function instantText(now: number): string {
  return now.toString(36).padStart(instantLetters, '0');
}

function lettersOf(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Random ids and secrets from the operating system's generator. */
export const randomIds: Ids = {
  accountId: () => randomInt(1, 10) + Array.from({ length: 17 }, () => randomInt(10)).join(''),
  opaqueId: () => base32Text(26),
  blobId: () => base32Text(26),
  orderedId: (now) => instantText(now) + base36Text(14),
  nameHash: () => base32Text(16),
  secretText: (length) => lettersOf(base62, length),
  lettersOf,
  rootKey: () => randomBytes(32),
};
