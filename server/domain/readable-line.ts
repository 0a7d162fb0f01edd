/**
 * Makes one line of a text from outside, for people to read: control characters, line ends and changes of direction
 * become a blank, and half characters become U+FFFD.
 */
export function readableLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim();
}
