import type { Ids } from '#server/domain/ports/ids.ts';

const deviceCodeLength = 40;
const userCodeLength = 8;

/** Consonants without Y: they spell no word, and none looks like a digit. @see RFC 8628, section 6.1 */
const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ';

const userCodeForm = new RegExp(`^[${userCodeLetters}]{${userCodeLength}}$`);

/** Makes a device code: 238 random bits. Nobody types it. */
export function newDeviceCode(ids: Pick<Ids, 'secretText'>): string {
  return ids.secretText(deviceCodeLength);
}

/** Makes a user code, one of 20^8, as the client shows it: `WDJB-MJHT`. */
export function newUserCode(ids: Pick<Ids, 'lettersOf'>): string {
  const letters = ids.lettersOf(userCodeLetters, userCodeLength);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/**
 * Reads a user code that a person typed, in any case, with any blanks and dashes. Returns undefined for another text.
 */
export function parseUserCode(text: string): string | undefined {
  const letters = text.replace(/[\s\p{Pd}]+/gu, '').toUpperCase();
  return userCodeForm.test(letters) ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}

/**
 * Returns the text under whose hash a device code is stored. The kind is hashed too, so that no code passes for another
 * kind.
 */
export function deviceCredential(deviceCode: string): string {
  return `device-code:${deviceCode}`;
}

/** Returns the text under whose hash a user code is stored. */
export function userCredential(userCode: string): string {
  return `user-code:${userCode}`;
}
