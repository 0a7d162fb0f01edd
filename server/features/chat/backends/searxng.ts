import { Pool } from 'undici';

import { maxQueryCharacters, WebSearchUnavailable, type SearchResult, type WebSearch } from '../search/web-search.ts';
import type { Log } from '#server/log.ts';
import { BodyTooLarge, sendRequest } from '#server/backends/send-request.ts';
import { fieldsOf, jsonValue } from '#server/backends/json-value.ts';

export interface SearxngOptions {
  /** Without a trailing slash. */
  readonly url: string;
  /** Gets a line for each failure, which contains no query and no URL. */
  readonly log?: Pick<Log, 'warn'>;
  readonly timeoutMs?: number;
  readonly maxBodyBytes?: number;
}

const mostResults = 10;
const mostUrlLetters = 1000;
const mostTitleLetters = 200;
const mostExcerptLetters = 600;

/**
 * Searches with the JSON API of a SearXNG instance. Reads only the excerpts in its response: fetches no page and
 * follows no redirect.
 *
 * @see https://docs.searxng.org/dev/search_api
 */
export function searxng({
  url,
  log,
  timeoutMs = 10_000,
  maxBodyBytes = 1024 * 1024,
}: SearxngOptions): WebSearch & { close(): Promise<void> } {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, {
    connect: { timeout: Math.min(timeoutMs, 3000) },
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  const headers = { accept: 'application/json', 'user-agent': 'Cubby' };
  const base = pathname.replace(/(?<!\/)\/+$/, '');
  return {
    async find(query, signal) {
      const parameters = new URLSearchParams({ q: oneLine(query, maxQueryCharacters), format: 'json' });
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        const { status, text } = await sendRequest(
          pool,
          { method: 'GET', path: `${base}/search?${parameters}`, headers },
          { signal: deadline, maxBytes: () => maxBodyBytes },
        );
        if (status !== 200)
          throw new WebSearchUnavailable(
            'The search engine answered ' +
              `${status}${status === 403 ? ': allow the format "json" in its settings.yml' : ''}.`,
          );
        return resultsOf(jsonValue(text));
      } catch (error) {
        const failure =
          error instanceof WebSearchUnavailable
            ? error
            : new WebSearchUnavailable(`The search engine ${describeError(error, signal, deadline)}.`);
        if (!signal.aborted) log?.warn({ reason: failure.message }, 'a web search failed');
        throw failure;
      }
    },
    close: () => pool.destroy(),
  };
}

function resultsOf(body: unknown): SearchResult[] {
  const { results } = fieldsOf(body);
  if (!Array.isArray(results))
    throw new WebSearchUnavailable('The search engine answered something that is no list of results.');
  const byUrl = new Map<string, SearchResult>();
  for (const { url, title, content } of results.map(fieldsOf)) {
    const address = addressOf(url);
    if (address === undefined || byUrl.has(address)) continue;
    byUrl.set(address, {
      url: address,
      title: oneLine(title, mostTitleLetters) || new URL(address).hostname,
      excerpt: oneLine(content, mostExcerptLetters),
    });
    if (byUrl.size === mostResults) break;
  }
  return [...byUrl.values()];
}

/** Returns a URL that may be shown and followed: http or https, without credentials. */
function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, username, password, href } = new URL(value);
  const isOfTheWeb = protocol === 'http:' || protocol === 'https:';
  return isOfTheWeb && username === '' && password === '' && href.length <= mostUrlLetters ? href : undefined;
}

/** Puts a stranger's text on one line: no control characters, directional overrides or lone surrogates, and cut. */
function oneLine(value: unknown, mostLetters: number): string {
  if (typeof value !== 'string') return '';
  const plain = value
    .slice(0, 8 * mostLetters)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const letters = Array.from(plain);
  return letters.length > mostLetters ? `${letters.slice(0, mostLetters - 1).join('')}…` : plain;
}

/** Uses only the error's code, because messages quote URLs. */
function describeError(error: unknown, signal: AbortSignal, deadline: AbortSignal): string {
  if (signal.aborted) return 'was not waited for';
  if (deadline.aborted) return 'did not answer in time';
  if (error instanceof BodyTooLarge) return 'answered more than is read of it';
  const { code } = error as { readonly code?: unknown };
  return `could not be reached (${typeof code === 'string' ? code : 'no connection'})`;
}
