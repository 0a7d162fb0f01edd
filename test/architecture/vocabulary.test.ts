import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { root, sourceFiles } from './imports.ts';

/*
 * Private words that gave way to those of the contract and the field, as the glossary of CONTRIBUTING.md has them. Each
 * is looked for where it was replaced, in names and in comments.
 */

/** What stands for each word now. */
const replaced: Readonly<Record<string, string>> = {
  allowance: 'byte budget',
  room: 'space, capacity, or a queue',
  asked: 'requested',
  asking: 'request',
  held: 'reserved, open, or pending',
  words: 'text, message, or label',
};

/** The folders in which they were replaced. */
const folders = ['server/', 'console/', 'uploader/'];

/** Texts for people, and encoded words of RFC 2047. */
const exempt = ['/pages/messages/', 'server/http/encoded-words.ts'];

/** The word in its plain meaning, names of other programs, and messages that users and their alarms know. */
const plain = [
  /several words\./,
  /words of libpq/,
  /The words after the program's name/,
  /COMP_WORDS|words=|\bwords = \[|\)words\[/,
  /A few words, as one types them into a search engine/,
  /The disk of the server has no room for these|'file, or try again when there is room\.'/,
  /The disk of the blobs has no room for this/,
  /There is no room in \$\{where\}/,
  /THE DISK IS FULL: nothing is taken in until there is room|'there is room on the disk again'/,
  /has no room for these bytes\. Delete|'when there is room\.'|files cannot be held/,
  /'held_body_bytes'|held_(?:files|bytes)/,
  /(?:encoded|decoded)Words|encoded-words/,
];

/** Returns the old words in the names and comments of a line. A word in the middle of a name begins with a capital. */
function oldWords(line: string): string[] {
  return Object.keys(replaced).filter((word) =>
    new RegExp(`(?<![A-Za-z])${word}(?![a-z])|(?<=[a-z])${word[0]!.toUpperCase()}${word.slice(1)}(?![a-z])`).test(line),
  );
}

describe('the words of the glossary', () => {
  it('have taken the place of private ones', () => {
    const lost = sourceFiles()
      .filter((file) => folders.some((start) => file.startsWith(start)) && !exempt.some((part) => file.includes(part)))
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .filter((line) => !plain.some((one) => one.test(line)))
          .flatMap((line) => oldWords(line).map((word) => `${file}: ${word} → ${replaced[word]}: ${line.trim()}`)),
      );
    expect(lost).toEqual([]);
  });

  it.each([
    ['  readonly held: Set<string>;', ['held']],
    ['export function bytesWords(bytes: number) {', ['words']],
    ['// There is no room for it.', ['room']],
    ['const askedAt = roomOf(held);', ['room', 'asked', 'held']],
    ['const passwords = withheld + bathroom;', []],
  ])('would be found in: %s', (line, found) => {
    expect(oldWords(line)).toEqual(found);
  });

  it('stand in the glossary', () => {
    const glossary = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## Glossary')[1]!;
    expect(glossary.trim().split('\n').length).toBeLessThanOrEqual(40);
    for (const word of Object.keys(replaced)) expect(glossary, word).toContain(`*${word}*`);
  });
});
