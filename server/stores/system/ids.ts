import { randomBytes, randomInt } from 'node:crypto';

import type { Ids } from '#server/domain/ports/ids.ts';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes of one draw. Each draw enters the kernel, which costs more than the bytes. */
const drawnBytes = 4096;
/** A cache of random bytes. */
let drawn = Buffer.alloc(0);
let usedBytes = 0;

/**
 * Returns random base-32 characters. 256 is a multiple of 32, so every letter is equally likely. No byte is used twice.
 */
function base32Text(length: number): string {
  if (usedBytes + length > drawn.length) [drawn, usedBytes] = [randomBytes(drawnBytes), 0];
  let text = '';
  for (const end = usedBytes + length; usedBytes < end; usedBytes++) text += base32[drawn[usedBytes]! % 32];
  return text;
}

function lettersOf(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Random ids and secrets from the operating system's generator. */
export const randomIds: Ids = {
  accountId: () => randomInt(1, 10) + Array.from({ length: 17 }, () => randomInt(10)).join(''),
  opaqueId: () => base32Text(26),
  nameHash: () => base32Text(16),
  secretText: (length) => lettersOf(base62, length),
  lettersOf,
};
