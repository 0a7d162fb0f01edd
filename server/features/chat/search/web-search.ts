/** Longer queries are cut to this length. */
export const maxQueryCharacters = 400;

/** One page that a search found. None of its texts can be trusted. */
export interface SearchResult {
  /** `http` or `https`. */
  readonly url: string;
  readonly title: string;
  /** The search engine's excerpt of the page. */
  readonly excerpt: string;
}

/** A search engine for the web. */
export interface WebSearch {
  /** Returns at most ten results, best first. @throws {WebSearchUnavailable} */
  find(query: string, signal: AbortSignal): Promise<readonly SearchResult[]>;
}

/** Thrown when the search engine gave no readable answer. */
export class WebSearchUnavailable extends Error {
  override readonly name = 'WebSearchUnavailable';
}
