import { credentialPrefixes } from './credential-prefixes.ts';

/** The most characters of a value that an error repeats. */
const maxShownCharacters = 64;

/**
 * Returns a value of a request as an error may repeat it. It quotes a short text, repeats a number, and names the kind
 * of a list or an object. Long texts are cut. A text that looks like a key or an upload token is not repeated.
 */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return shownText(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return kindOfValue(value);
}

/** Returns the kind of a JSON value, with its article. */
export function kindOfValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const kinds: Partial<Record<string, string>> = {
    string: 'a string',
    number: 'a number',
    boolean: 'a boolean',
    object: 'an object',
  };
  return kinds[typeof value] ?? 'a value';
}

/** Formats a value as the detail of an error: `Got 0.` */
export function got(value: unknown): string {
  return `Got ${shownValue(value)}.`;
}

/** Returns the name of a field or a folder as an error may repeat it. */
export function shownName(name: string): string {
  return name.length <= maxShownCharacters ? name : `${name.slice(0, maxShownCharacters).toWellFormed()}…`;
}

function shownText(text: string): string {
  if (Object.values(credentialPrefixes).some((prefix) => text.includes(prefix)))
    return 'a text that holds a credential (not repeated here)';
  if (text === '') return 'an empty string';
  const characters = Array.from(text.length > 4 * maxShownCharacters ? text.slice(0, 4 * maxShownCharacters) : text);
  if (characters.length <= maxShownCharacters) return JSON.stringify(text.toWellFormed());
  return (
    `${JSON.stringify(`${characters.slice(0, maxShownCharacters).join('').toWellFormed()}…`)} ` +
    `(${text.length} characters)`
  );
}
