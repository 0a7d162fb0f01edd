/** "An 'encoded-word' may not be more than 75 characters long" (RFC 2047 section 2). 12 of them are not the text. */
const maxWordBytes = 45;

/**
 * Encodes text as words in ASCII (RFC 2047), as S3 returns metadata that ASCII cannot express. A reader joins the words
 * without the blanks between them.
 */
export function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  let wordBytes = 0;
  // A word must end at the end of a character.
  for (const character of text.toWellFormed()) {
    const bytes = Buffer.byteLength(character);
    if (wordBytes + bytes > maxWordBytes) {
      words.push(word);
      [word, wordBytes] = ['', 0];
    }
    word += character;
    wordBytes += bytes;
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(' ');
}

const wordForm = /^=\?([\w-]+)(?:\*[\w-]*)?\?([bq])\?([^? ]*)\?=$/i;

/**
 * Returns the text of encoded words. Returns the text as it is if it is anything else, or if its characters could not
 * stand in a header.
 */
export function decodedWords(text: string): string {
  if (!text.startsWith('=?')) return text;
  let decoded = '';
  for (const word of text.split(/[ \t]+/)) {
    const [, charset, encoding, content] = wordForm.exec(word) ?? [];
    const part = charset === undefined ? undefined : decodedWord(charset, encoding!, content!);
    if (part === undefined) return text;
    decoded += part;
  }
  return /\p{Cc}/u.test(decoded) ? text : decoded;
}

function decodedWord(charset: string, encoding: string, content: string): string | undefined {
  const bytes =
    encoding.toUpperCase() === 'B'
      ? Buffer.from(content, 'base64')
      : Buffer.from(
          content
            .replaceAll('_', ' ')
            .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        );
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
