/** Characters that no terminal, log line or page shows as they are: controls, line ends, half characters, changes of direction. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

const maxLength = 64;

/** Whether a text can name an account or a key: 1 to 64 printable characters, not only spaces. */
export function isLabel(text: string): boolean {
  const length = [...text].length;
  return text.trim() !== '' && length <= maxLength && !unprintable.test(text);
}
