import type { Ids } from '../ports/ids.ts';
import type { Secrets } from '../ports/secrets.ts';

const deviceCodeLength = 40;
const userCodeLength = 8;

/**
 * Consonants without Y: a code of them spells nothing, and none of them looks like a digit. @see RFC 8628, section 6.1
 */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ';

const userCodeForm = new RegExp(`^[${userCodeLetters}]{${userCodeLength}}$`);

/** A new device code: 238 random bits, which nobody ever types. */
export function newDeviceCode(ids: Pick<Ids, 'secretText'>): string {
  return ids.secretText(deviceCodeLength);
}

/** A new user code, one of 20^8, as the client shows it: `WDJB-MJHT`. */
export function newUserCode(ids: Pick<Ids, 'lettersOf'>): string {
  const letters = ids.lettersOf(userCodeLetters, userCodeLength);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Reads a code as a person types it: case, blanks and dashes do not matter. `undefined` for what can be none. */
export function parseUserCode(text: string): string | undefined {
  const letters = text.replace(/[\s\p{Pd}]+/gu, '').toUpperCase();
  return userCodeForm.test(letters) ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}

/** Under what a device code is kept. The kind is hashed too, so that no code ever passes for another kind. */
export function deviceCodeHash(secrets: Pick<Secrets, 'credentialHash'>, deviceCode: string): Uint8Array {
  return secrets.credentialHash(`device-code:${deviceCode}`);
}

/** Under what a user code is kept. */
export function userCodeHash(secrets: Pick<Secrets, 'credentialHash'>, userCode: string): Uint8Array {
  return secrets.credentialHash(`user-code:${userCode}`);
}
