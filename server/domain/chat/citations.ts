import type { SearchResult } from './web-search.ts';

/** Where a text cites a page. */
export interface Citation {
  readonly url: string;
  readonly title: string;
  /** In UTF-16 code units. */
  readonly startIndex: number;
  /** Exclusive. */
  readonly endIndex: number;
}

/** A text with its citations, in the order of the text. */
export interface CitedText {
  readonly text: string;
  readonly citations: readonly Citation[];
}

/** So many pages are named below a text that cites none itself. */
const maxAppended = 5;

/** So many addresses of a text are looked at: a text that is nothing else must not hold the server up. */
const maxAddresses = 1000;

/** What makes an address before it a longer one, and not the end of a sentence or of a pair of brackets. */
const goesOn = /^[.,:;!?_]*[\p{L}\p{N}/%=&#~+@$-]/u;

/**
 * Finds where a text cites what a search has found. One that cites nothing gets the addresses of the first results
 * below it, so that readers can always check where it comes from; unless it `isWhole` not, as what was cut has no end
 * to write below.
 */
export function citeSources(text: string, sources: readonly SearchResult[], isWhole = true): CitedText {
  const citations = citationsIn(text, sources);
  if (citations.length > 0 || sources.length === 0 || !isWhole) return { text, citations };
  const urls = [...new Set(sources.map(({ url }) => url))].slice(0, maxAppended);
  const cited = `${text.trimEnd()}${text.trim() === '' ? '' : '\n\n'}Sources:\n${urls.map((url) => `- ${url}`).join('\n')}`;
  return { text: cited, citations: citationsIn(cited, sources) };
}

function citationsIn(text: string, sources: readonly SearchResult[]): Citation[] {
  // Of two addresses that begin alike the longer one is meant where it stands.
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

/**
 * How long the address is that stands at `index`, 0 when it is another one. Its last slash may be missing or too many.
 */
function lengthAt(text: string, index: number, bare: string): number {
  if (!text.startsWith(bare, index)) return 0;
  const length = text[index + bare.length] === '/' ? bare.length + 1 : bare.length;
  return goesOn.test(text.slice(index + length, index + length + 16)) ? 0 : length;
}
