/**
 * Characters that no terminal, log line or page shows as they are: controls, line ends, half characters, changes of
 * direction.
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

const maxLength = 64;

/** What takes up room on a page: neither blanks nor what is never shown, such as a space of no width. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text can name an account or a key: 1 to 64 printable characters, one of them visible. */
export function isLabel(text: string): boolean {
  const length = [...text].length;
  return visible.test(text) && length <= maxLength && !unprintable.test(text);
}
