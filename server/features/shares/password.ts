import { randomBytes, timingSafeEqual } from 'node:crypto';

import type { Scrypt, ScryptCost } from '#server/domain/ports/scrypt.ts';

/**
 * The cost of a guess: 32 MiB, and some tenths of a second.
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const cost: ScryptCost = { N: 2 ** 15, r: 8, p: 3 };
const saltBytes = 16;

function derive(scrypt: Scrypt, password: string, salt: Uint8Array, at: ScryptCost): Promise<Uint8Array> {
  // Keyboards differ in how they encode the same letters.
  return scrypt(password.normalize('NFC'), salt, at);
}

/** Hashes a password for storage, with its parameters: `scrypt$32768$8$3$<salt>$<hash>`. */
export async function hashPassword(scrypt: Scrypt, password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = Buffer.from(await derive(scrypt, password, salt, cost));
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether a password is the one that was hashed. Without a hash it returns false, after the same time. */
export async function isPasswordOf(scrypt: Scrypt, stored: string | null, password: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? '').split('$');
  if (!stored) return derive(scrypt, password, Buffer.alloc(saltBytes), cost).then(() => false);
  const given = await derive(scrypt, password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(given, Buffer.from(hash, 'base64url'));
}
