import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** What a guess costs: 32 MiB, and some tenths of a second. @see OWASP Password Storage Cheat Sheet, "scrypt" */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
/** Node refuses what needs more; scrypt needs 128 × N × r bytes and a little. */
const maxmem = 128 * cost.N * cost.r * 2;
const saltBytes = 16;
const hashBytes = 32;

function derive(password: string, salt: Uint8Array, { N, r, p }: { readonly N: number; readonly r: number; readonly p: number }): Promise<Buffer> {
  // Two spellings of the same letters are one password: keyboards differ in which they send.
  const text = password.normalize('NFC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashBytes, { N, r, p, maxmem }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Hashes a password for storage, with all that it takes to check one: `scrypt$32768$8$3$<salt>$<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether it is the password that was hashed. Without a hash to compare with it answers no, after as long as it takes with one. */
export async function isPasswordOf(stored: string | null, password: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? '').split('$');
  if (!stored) return derive(password, Buffer.alloc(saltBytes), cost).then(() => false);
  const given = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(given, Buffer.from(hash, 'base64url'));
}
