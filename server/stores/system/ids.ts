import { randomBytes, randomInt } from 'node:crypto';

import type { Ids } from '#server/domain/ports/ids.ts';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The same letters in the order of their bytes. */
const sortedBase32 = '234567abcdefghijklmnopqrstuvwxyz';

/** As many as count the milliseconds of a thousand years. */
const instantLetters = 9;

/** Letters of one draw. Each draw enters the kernel, which costs more than the letters. */
const drawnLetters = 4096;
/** Random base-32 letters in ASCII. Each is used once. */
let drawn = Buffer.alloc(0);
let used = 0;

/** Returns random base-32 characters. */
function base32Text(length: number): string {
  if (used + length > drawn.length) [drawn, used] = [base32Letters(drawnLetters), 0];
  return drawn.toString('latin1', used, (used += length));
}

/** 256 is a multiple of 32, so every letter is equally likely. */
function base32Letters(length: number): Buffer<ArrayBuffer> {
  const bytes = randomBytes(length);
  for (const [at, byte] of bytes.entries()) bytes[at] = base32.charCodeAt(byte % 32);
  return bytes;
}

/** Returns an instant in base 32. A later one sorts behind. */
function instantText(now: number): string {
  let text = '';
  for (let rest = now; text.length < instantLetters; rest = Math.floor(rest / 32))
    text = sortedBase32.at(rest % 32)! + text;
  return text;
}

function lettersOf(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Random ids and secrets from the operating system's generator. */
export const randomIds: Ids = {
  accountId: () => randomInt(1, 10) + Array.from({ length: 17 }, () => randomInt(10)).join(''),
  opaqueId: () => base32Text(26),
  blobId: () => base32Text(26),
  orderedId: (now) => instantText(now) + base32Text(16),
  nameHash: () => base32Text(16),
  secretText: (length) => lettersOf(base62, length),
  lettersOf,
  rootKey: () => randomBytes(32),
};
