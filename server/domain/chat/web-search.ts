/** Of a longer query only the beginning is searched for. */
export const maxQueryCharacters = 400;

/** One page that a search found. All three are text of strangers. */
export interface SearchResult {
  /** `http` or `https`. */
  readonly url: string;
  readonly title: string;
  /** What the search engine shows of the page. */
  readonly excerpt: string;
}

/** A search engine for the web. */
export interface WebSearch {
  /** The best results, best first, at most ten. @throws {WebSearchUnavailable} */
  find(query: string, signal: AbortSignal): Promise<readonly SearchResult[]>;
}

/** The search engine gave no answer that can be read. */
export class WebSearchUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'WebSearchUnavailable';
  }
}
