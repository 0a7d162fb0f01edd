/**
 * Characters that terminals, logs or pages do not show as they are. These are control characters, line ends, lone
 * surrogates and characters that change the direction of text.
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

const maxLength = 64;

/** Matches a visible character: no blank, and nothing that is never shown, such as a zero-width space. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text can name an account or a key: 1 to 64 printable characters, one of them visible. */
export function isLabel(text: string): boolean {
  const length = [...text].length;
  return visible.test(text) && length <= maxLength && !unprintable.test(text);
}
