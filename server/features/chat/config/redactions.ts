import type { FileTable, TextRule } from '#server/config/file-table.ts';

/** What a text loses before it goes to a model's server. */
export interface Redaction {
  /** Stands in the text instead, in brackets. */
  readonly name: string;
  /** A regular expression. */
  readonly pattern: string;
}

/** How patterns are read: all matches, by characters and not by halves of them. */
export const patternFlags = 'gu';

const nameRule: TextRule = {
  mustBe: '1 to 32 lower-case letters, digits and the signs _ -, such as card',
  isAllowed: (value) => /^[a-z0-9_-]{1,32}$/.test(value),
  isShown: true,
};

const patternRule: TextRule = {
  mustBe: 'a regular expression of JavaScript with the flag u, of up to 512 characters, that matches no empty text',
  isAllowed: (value) => value.length <= 512 && isPattern(value),
};

/** Reads the redactions of a file of models. */
export function redactionsOf(file: FileTable): readonly Redaction[] {
  if (!file.has('redactions')) return [];
  return file.tables('redactions', 32).flatMap((table) => {
    table.refuseOthers(['name', 'pattern']);
    const name = table.requiredText('name', nameRule);
    const pattern = table.requiredText('pattern', patternRule);
    return name === undefined || pattern === undefined ? [] : [{ name, pattern }];
  });
}

function isPattern(value: string): boolean {
  try {
    return !new RegExp(value, patternFlags).test('');
  } catch {
    return false;
  }
}
