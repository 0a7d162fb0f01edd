/** Whether a prefix, without a trailing slash, lies at or below one of those that a key is restricted to. */
export function coversPrefix(allowed: readonly string[], prefix: string): boolean {
  return allowed.some((one) => prefix === one || prefix.startsWith(`${one}/`));
}

/** Whether a key lies below one of the prefixes. */
export function coversKey(allowed: readonly string[], key: string): boolean {
  return allowed.some((one) => key.startsWith(`${one}/`));
}
