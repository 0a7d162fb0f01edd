/** Whether a prefix, without a trailing slash, lies at or below one of those that a key is restricted to. */
export function coversPrefix(allowed: readonly string[], prefix: string): boolean {
  return allowed.some((one) => prefix === one || prefix.startsWith(`${one}/`));
}

/** Whether a key lies below one of the prefixes. */
export function coversKey(allowed: readonly string[], key: string): boolean {
  return allowed.some((one) => key.startsWith(`${one}/`));
}

/** Whether there can be keys that begin with `prefix`, which ends in a slash, and lie below one of those. */
export function overlapsPrefix(allowed: readonly string[], prefix: string): boolean {
  return allowed.some((one) => prefix.startsWith(`${one}/`) || `${one}/`.startsWith(prefix));
}

const maxPrefixLength = 256;
const folder = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}';
const form = new RegExp(`^${folder}(/${folder}){0,7}$`);

/**
 * Reads a prefix: 1 to 8 folders joined by `/`, 256 characters in all; a trailing `/` is dropped. `undefined` for what
 * is none.
 * @see openapi/schemas/ObjectPrefix.yaml
 */
export function parsePrefix(text: string): string | undefined {
  const prefix = text.replace(/\/$/, '');
  return form.test(prefix) && !prefix.includes('..') && prefix.length <= maxPrefixLength ? prefix : undefined;
}
