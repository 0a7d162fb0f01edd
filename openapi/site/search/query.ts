import { meant } from './spelling.ts';
import { synonyms } from './synonyms.ts';
import { isStopWord, joined, namesOf, singular, wordsOf } from './words.ts';

/** One thing that somebody looks for: the phrases that may stand for it. */
export interface Concept {
  readonly phrases: readonly Phrase[];
  /** What was typed, if it is a name such as `CUBBY_DATA_DIR`. */
  readonly name?: string;
}

/** Words that stand together for a thing. */
export interface Phrase {
  readonly words: readonly string[];
  /** How much it counts. What was typed has 1. */
  readonly weight: number;
}

/** Returns whether a word is in the index. */
type IsKnown = (word: string) => boolean;

const synonymWeight = 0.9;

/** A name is about one thing. */
const nameWeight = 2;

/** The parts of a name are in many places. */
const partsWeight = 0.3;

const rows = new Map(synonyms.flatMap(({ typed, ours }) => typed.map((phrase) => [keyOf(wordsOf(phrase)), ours])));
const longest = Math.max(...[...rows.keys()].map((key) => key.split(' ').length));
const vocabulary = new Set([...rows.keys()].flatMap((key) => key.split(' ')));

/** Returns a key that the plurals of words share. */
function keyOf(words: readonly string[]): string {
  return words.map(singular).join(' ');
}

/**
 * Returns the things that somebody looks for who typed a text. Words without a meaning count if there are no others.
 * Words that neither the index nor the synonyms have are corrected if a synonym is near.
 */
export function conceptsOf(text: string, isKnown: IsKnown): Concept[] {
  const names = namesOf(text);
  const words = wordsOf(names.reduce((rest, name) => rest.replace(name, ' '), text)).map((word) =>
    isStopWord(word) || vocabulary.has(singular(word)) || isKnown(word) ? word : (meant(word, vocabulary) ?? word),
  );
  const found = [...names.map((name) => conceptOfName(name, isKnown)), ...conceptsOfWords(words)];
  return found.length > 0 ? found : words.map((word) => ({ phrases: [{ words: [word], weight: 1 }] }));
}

function conceptOfName(name: string, isKnown: IsKnown): Concept {
  const word = joined(name);
  return isKnown(word)
    ? { name, phrases: [{ words: [word], weight: nameWeight }] }
    : { phrases: [{ words: wordsOf(name.replaceAll('_', ' ')), weight: partsWeight }] };
}

/** Takes the longest phrase of the table first: `rate limit` before `rate`. */
function conceptsOfWords(words: readonly string[]): Concept[] {
  if (words.length === 0) return [];
  const { typed, length } = firstPhrase(words);
  const rest = conceptsOfWords(words.slice(length));
  const ours = rows.get(keyOf(typed));
  if (!ours && isStopWord(typed[0]!)) return rest;
  const phrases = [
    { words: tellingOf(typed), weight: 1 },
    ...(ours ?? []).map((phrase) => ({ words: tellingOf(wordsOf(phrase)), weight: synonymWeight })),
  ];
  return [{ phrases }, ...rest];
}

/** Returns the longest phrase of the table with which words begin, or the first word, and how many words it takes. */
function firstPhrase(words: readonly string[]): { readonly typed: readonly string[]; readonly length: number } {
  for (let length = Math.min(2 * longest, words.length); length > 1; length -= 1) {
    const typed = words.slice(0, length);
    if (rows.has(keyOf(typed))) return { typed, length };
    // Small words may stand between: `copy a folder`.
    if (isStopWord(typed[0]!) || isStopWord(typed.at(-1)!)) continue;
    if (rows.has(keyOf(tellingOf(typed)))) return { typed: tellingOf(typed), length };
  }
  return { typed: words.slice(0, 1), length: 1 };
}

/** Returns the words that say something, or all if none does. */
function tellingOf(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !isStopWord(word));
  return telling.length > 0 ? telling : words;
}
