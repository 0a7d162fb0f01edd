/** Words that say nothing about the page that somebody looks for. */
const stopWords = new Set(
  [
    'a an the of to in on at by about between for from with without into is are be am was do does did can could',
    'should would will may how what which who where when why i me my we our you your it its this that there and or',
    'not no if as than then get set up use using used make want need have has had one some any all so give let show',
    'tell happen happens work works now too much many just only also way best please possible example examples',
    'error errors issue problem against cubby',
  ].flatMap((line) => line.split(' ')),
);

/** Returns whether a word says nothing about a page. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** Returns the words of a text in lower case, split where the index splits: at spaces and punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\n\r\p{Z}\p{P}]+/u)
    .filter((word) => word !== '');
}

/** Returns the names with underscores in a text: `CUBBY_DATA_DIR`. */
export function namesOf(text: string): string[] {
  return text.match(/[a-z\d]+(?:_[a-z\d]+)+/gi) ?? [];
}

/** Returns a name with underscores as one word of the index: `$cubbydatadir`. No other word is the beginning of one. */
export function joined(name: string): string {
  return `$${name.replaceAll('_', '').toLowerCase()}`;
}

/** Returns a word without the ending of its plural. */
export function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

/** Returns forms in which the index may have a word, itself first: `sharing`, `shar`, `share`. */
export function formsOf(word: string): string[] {
  const stems = ['ing', 'ed', 'er', 'ation', 'ment']
    .filter((ending) => word.endsWith(ending) && word.length >= ending.length + 4)
    .map((ending) => word.slice(0, -ending.length));
  return [
    ...new Set([word, singular(word), ...stems.flatMap((stem) => [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')])]),
  ];
}
