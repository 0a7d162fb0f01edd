import { maxListPrefixBytes } from './limits.ts';
import { Refusal } from './refusal.ts';

declare const kind: unique symbol;

/**
 * A folder, as keys, uploads and copies name it: 1 to 8 names joined by `/`, without a trailing slash, 256 characters
 * in all. Only {@link parsePrefix} makes one, so code that takes one does not check it.
 */
export type Prefix = string & { readonly [kind]: 'Prefix' };

const maxPrefixLength = 256;
const folder = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}';
const form = new RegExp(`^${folder}(/${folder}){0,7}$`);

/**
 * Reads a prefix and drops one trailing `/`. Returns `undefined` if the text has another form.
 * @see openapi/schemas/files/ObjectPrefix.yaml
 */
export function parsePrefix(text: string): Prefix | undefined {
  const prefix = text.replace(/\/$/, '');
  return form.test(prefix) && !prefix.includes('..') && prefix.length <= maxPrefixLength
    ? (prefix as Prefix)
    : undefined;
}

/**
 * Whether a folder lies at or below one of the prefixes. The folder has no trailing slash and need not be well-formed.
 */
export function coversPrefix(allowed: readonly Prefix[], prefix: string): boolean {
  return allowed.some((one) => prefix === one || prefix.startsWith(`${one}/`));
}

/** Whether a key lies below one of the prefixes. */
export function coversKey(allowed: readonly Prefix[], key: string): boolean {
  return allowed.some((one) => key.startsWith(`${one}/`));
}

/** Whether a key can begin with `start`, which ends in a slash, and also lie below one of the prefixes. */
export function overlapsPrefix(allowed: readonly Prefix[], start: string): boolean {
  return allowed.some((one) => start.startsWith(`${one}/`) || `${one}/`.startsWith(start));
}

/** The filter by which a key lists. For a key restricted to `photos`, `photos` means the folder, not `photos-2025/`. */
export function listFilter(allowed: readonly Prefix[] | null, filter: string): string {
  return allowed?.some((one) => one === filter) ? `${filter}/` : filter;
}

/**
 * Checks what the keys of a list begin with, which need not be a folder.
 *
 * @throws INVALID_OBJECT_PREFIX
 */
export function requireListPrefix(prefix: string): void {
  if (Buffer.byteLength(prefix) > maxListPrefixBytes) throw new Refusal('INVALID_OBJECT_PREFIX');
}
