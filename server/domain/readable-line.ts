/**
 * Turns a text from outside into one line for people to read. Control characters, line ends and changes of direction
 * become a space, and half characters become U+FFFD.
 */
export function readableLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim();
}
