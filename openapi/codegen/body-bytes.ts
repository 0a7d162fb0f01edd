import { resolve, type Json } from './document.ts';

/** The most bytes of one character: two escapes `\uXXXX` in JSON, or four percent-encoded bytes in a form. */
const bytesOfCharacter = 12;

/** Blanks, and fields that are not known. */
const spareBytes = 2048;

/** The longest number, word or punctuation between values. */
const bytesOfScalar = 32;

/**
 * Returns the most bytes that a body of this schema can need, as JSON or as a form.
 *
 * @throws if a value has no bound
 */
export function mostBytes(document: Json, schema: Json): number {
  return spareBytes + valueBytes(document, schema, 'body');
}

function valueBytes(document: Json, schema: Json, place: string): number {
  const node = resolve(document, schema);
  const choices: Json[] = [...(node.oneOf ?? []), ...(node.anyOf ?? [])];
  if (choices.length > 0) return Math.max(...choices.map((one) => valueBytes(document, one, place)));
  const words: unknown[] = node.enum ?? (node.const === undefined ? [] : [node.const]);
  if (words.length > 0) return Math.max(...words.map((word) => textBytes(String(word).length)));
  switch ([node.type].flat().find((type) => type !== 'null')) {
    case 'boolean':
    case 'integer':
    case 'number':
      return bytesOfScalar;
    case 'string':
      return textBytes(node.maxLength ?? lengthOfPattern(node.pattern, place));
    case 'array':
      if (node.maxItems === undefined) throw unbounded(place);
      return bytesOfScalar + node.maxItems * valueBytes(document, node.items, `${place}/*`);
    case 'object':
      return Object.entries<Json>(node.properties ?? {}).reduce(
        (sum, [name, field]) => sum + textBytes(name.length) + valueBytes(document, field, `${place}/${name}`),
        bytesOfScalar,
      );
    default:
      throw unbounded(place);
  }
}

function textBytes(characters: number): number {
  return bytesOfScalar + characters * bytesOfCharacter;
}

/** Sums the numbers of repetitions of a pattern that has nothing but such. */
function lengthOfPattern(pattern: string | undefined, place: string): number {
  if (!pattern?.startsWith('^') || !pattern.endsWith('$') || /[*+]/.test(pattern)) throw unbounded(place);
  return [...pattern.matchAll(/\{(?:\d+,)?(\d+)\}/g)].reduce((sum, [, most]) => sum + Number(most), 0);
}

function unbounded(place: string): Error {
  return new Error(
    `${place} has no bound. An operation without a credential needs one for each value: add maxLength or maxItems.`,
  );
}
