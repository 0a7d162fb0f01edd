import type { ServerResponse } from 'node:http';

import { asciiDisposition } from './content-disposition.ts';
import { encodedWords } from './encoded-words.ts';

/** The start of each header that carries a name and a value of a client's own choice. */
const userMetadata = 'x-amz-meta-';

/**
 * Returns the value of a header as it is sent: printable ASCII. Returns undefined for text that this header cannot
 * express.
 *
 * Node checks a value when it is set, and can change it when it sends it. A `Content-Disposition` is decoded once more,
 * as UTF-8, when the length of the body is known by then. So U+010D U+010A, which is no line end, would become CR LF.
 * Node leaves ASCII as it is.
 */
export function wireValue(name: string, text: string): string | undefined {
  if (isPrintable(text)) return text;
  const header = name.toLowerCase();
  if (header.startsWith(userMetadata)) return encodedWords(text);
  // A tab is the only other character that a value can have in ASCII, and reads like a blank.
  const line = text.replaceAll('\t', ' ');
  if (isPrintable(line)) return line;
  return header === 'content-disposition' ? asciiDisposition(line) : undefined;
}

function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/**
 * Sets the headers of a response. All headers whose values can come from clients are set here. One that cannot be
 * expressed is left out.
 */
export function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) {
    const value = wireValue(name, headers[name]!);
    if (value !== undefined) res.setHeader(name, value);
  }
}
