/**
 * Returns a text that people gave, with marks in it that would turn the letters around made visible: a name that ends
 * in `exe` must not look like one that ends in `jpg`.
 */
export function plainText(text: string): string {
  return text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '\uFFFD');
}

/** Returns a name in the same way. It is one line, so its control characters and line ends become visible too. */
export function plainName(name: string): string {
  return plainText(name).replace(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD');
}
