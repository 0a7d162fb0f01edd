import type { SearchResult } from './web-search.ts';

/** A place where a text cites a page. */
export interface Citation {
  readonly url: string;
  readonly title: string;
  /** In UTF-16 code units. */
  readonly startIndex: number;
  /** Exclusive. */
  readonly endIndex: number;
}

/** A text and its citations, in the order of the text. */
interface CitedText {
  readonly text: string;
  readonly citations: readonly Citation[];
}

/** The most pages that are listed below a text that cites none. */
const maxAppended = 5;

/** The most addresses that are checked, so that a text full of addresses does not block the server. */
const maxAddresses = 1000;

/**
 * Matches text that continues the address before it. The end of a sentence and a closing bracket do not continue it.
 */
const goesOn = /^[.,:;!?_]*[\p{L}\p{N}/%=&#~+@$-]/u;

interface CiteOptions {
  /** False when the text was cut off. Nothing is added then. */
  readonly isWhole?: boolean;
  /** Whether readers have the text already, so that only something behind it can be added. */
  readonly isSent?: boolean;
}

/**
 * Finds where a text cites results of a search. If it cites none, the addresses of the first results are added at its
 * end, so that readers can check its sources.
 */
export function citeSources(
  text: string,
  sources: readonly SearchResult[],
  { isWhole = true, isSent = false }: CiteOptions = {},
): CitedText {
  const citations = citationsIn(text, sources);
  if (citations.length > 0 || sources.length === 0 || !isWhole) return { text, citations };
  const urls = [...new Set(sources.map(({ url }) => url))].slice(0, maxAppended);
  const above = `${isSent ? text : text.trimEnd()}${text.trim() === '' ? '' : '\n\n'}`;
  const cited = `${above}Sources:\n${urls.map((url) => `- ${url}`).join('\n')}`;
  return { text: cited, citations: citationsIn(cited, sources) };
}

function citationsIn(text: string, sources: readonly SearchResult[]): Citation[] {
  if (sources.length === 0) return [];
  // The longest address comes first, because an address may begin with another one.
  const longestFirst = sources
    .map((source) => ({ ...source, bare: source.url.replace(/\/$/, '') }))
    .toSorted((a, b) => b.bare.length - a.bare.length);
  return [...text.matchAll(/https?:\/\//gi).take(maxAddresses)].flatMap(({ index }) => {
    for (const { url, title, bare } of longestFirst) {
      const length = lengthAt(text, index, bare);
      if (length > 0) return [{ url, title, startIndex: index, endIndex: index + length }];
    }
    return [];
  });
}

/** Returns the length of the address at `index`, with or without its last slash; 0 when it is another address. */
function lengthAt(text: string, index: number, bare: string): number {
  if (!text.startsWith(bare, index)) return 0;
  const length = text[index + bare.length] === '/' ? bare.length + 1 : bare.length;
  return goesOn.test(text.slice(index + length, index + length + 16)) ? 0 : length;
}
