import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { cutOff, pourOut, serveJson } from './answers.ts';

/** A search result with SearXNG's field names. */
export interface SearxngResult {
  readonly url?: unknown;
  readonly title?: unknown;
  readonly content?: unknown;
}

/** The response to one search: results, a status, or a failure (see `UpstreamBehaviour`). */
export type SearxngBehaviour =
  | { readonly results: readonly SearxngResult[]; readonly delayMs?: number }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'silent'
  | 'hang-up'
  | 'cut-off'
  | 'too-large';

/** A search engine with SearXNG's JSON API and programmable responses. */
export interface Searxng {
  /** The value for CUBBY_SEARCH_URL. */
  readonly url: string;
  /** The search queries, oldest first. */
  readonly queries: readonly string[];
  /** Paths and queries as received. */
  readonly paths: readonly string[];
  /** Sets the response to the following searches. Default: two results. */
  answer(behaviour: SearxngBehaviour): void;
  close(): Promise<void>;
}

const twoResults: SearxngBehaviour = {
  results: [
    { url: 'https://example.com/etag', title: 'What an ETag is', content: 'An ETag names one version of a resource.' },
    { url: 'https://example.org/caching', title: 'Caching, explained', content: 'Caches ask with If-None-Match.' },
  ],
};

/** Starts a search engine on a free port. */
export async function startSearxng(): Promise<Searxng> {
  const queries: string[] = [];
  const paths: string[] = [];
  let behaviour = twoResults;
  const server = createServer(async (req, res) => {
    const { searchParams } = new URL(req.url!, 'http://searxng');
    paths.push(req.url!);
    queries.push(searchParams.get('q') ?? '');
    const whole = JSON.stringify({ query: searchParams.get('q'), results: [] });
    if (behaviour === 'silent') return;
    if (behaviour === 'hang-up') return void res.destroy();
    if (behaviour === 'cut-off') return cutOff(res, whole);
    if (behaviour === 'too-large') return pourOut(res, '{"results":[{"content":"');
    if ('status' in behaviour) return serveJson(res, behaviour.status, behaviour.body ?? {}, behaviour.headers);
    if (behaviour.delayMs !== undefined) await sleep(behaviour.delayMs);
    // SearXNG serves only the formats of its settings.
    if (searchParams.get('format') !== 'json')
      return serveJson(res, 403, '<!doctype html><title>403 Forbidden</title>', { 'Content-Type': 'text/html' });
    serveJson(res, 200, {
      query: searchParams.get('q'),
      number_of_results: 0,
      results: behaviour.results,
      answers: [],
      suggestions: [],
      unresponsive_engines: [],
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries,
    paths,
    answer: (told) => void (behaviour = told),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
