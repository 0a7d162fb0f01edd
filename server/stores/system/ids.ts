import { randomBytes, randomInt } from 'node:crypto';

import type { Ids } from '#server/domain/ports/ids.ts';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 256 is a multiple of 32, so the remainder favours no letter. */
function base32Text(length: number): string {
  return Array.from(randomBytes(length), (byte) => base32[byte % 32]).join('');
}

function lettersOf(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Everything random, from the operating system's generator. */
export const randomIds: Ids = {
  accountId: () => randomInt(1, 10) + Array.from({ length: 17 }, () => randomInt(10)).join(''),
  opaqueId: () => base32Text(26),
  nameHash: () => base32Text(16),
  secretText: (length) => lettersOf(base62, length),
  lettersOf,
};
