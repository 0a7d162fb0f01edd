// In generated/client/, this file is a copy of the one in openapi/codegen/client/.
/** A variant of an image. It needs `w`, `h` or both. */
export interface ImageVariant {
  /** The most pixels in width, from 1 to 4096. */
  readonly w?: number;
  /** The most pixels in height, from 1 to 4096. */
  readonly h?: number;
  /** `contain` (default) fits the whole image into the box. `cover` fills the box and cuts the rest. */
  readonly fit?: 'contain' | 'cover';
  /** Quality from 1 to 100. */
  readonly q?: number;
  /** `auto` (default) is the smallest format that the browser names. */
  readonly f?: 'auto' | 'jpeg' | 'png' | 'webp' | 'avif';
}

/**
 * Returns the address of a variant of an image, with the signature of your account. Call it on a server. The key can sign
 * every variant, so no page may have it.
 *
 * @param url the address of a public file, or a temporary link
 * @param key the signing key of the account, from `getImageKey()`
 */
export async function sign(
  url: string,
  { w, h, fit = 'contain', q, f = 'auto' }: ImageVariant,
  key: string,
): Promise<string> {
  const address = new URL(url);
  const fields = Object.entries({ w, h, fit, q, f }).filter(([, value]) => value !== undefined);
  const variant = fields.map(([name, value]) => `${name}=${value}`).join('&');
  for (const [name, value] of fields) address.searchParams.set(name, String(value));
  address.searchParams.set('sig', await hmac(key, `${address.pathname}?${variant}`));
  return address.href;
}

async function hmac(key: string, text: string): Promise<string> {
  const { subtle } = globalThis.crypto;
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign']);
  const bytes = new Uint8Array(await subtle.sign(algorithm.name, imported, encoder.encode(text)));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
