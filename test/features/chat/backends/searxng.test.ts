import { describe, expect, it, onTestFinished } from 'vitest';

import { startSearxng, type SearxngBehaviour, type SearxngResult } from '#mocks/searxng.ts';
import { searxng, type SearxngOptions } from '#server/features/chat/backends/searxng.ts';
import { WebSearchUnavailable } from '#server/features/chat/search/web-search.ts';

const patience = new AbortController().signal;

async function start(options: Partial<SearxngOptions> = {}, path = '') {
  const engine = await startSearxng();
  const search = searxng({ url: engine.url + path, timeoutMs: 300, ...options });
  onTestFinished(async () => {
    await search.close();
    await engine.close();
  });
  return { engine, search };
}

async function found(...results: SearxngResult[]) {
  const { engine, search } = await start();
  engine.answer({ results });
  return search.find('x', patience);
}

describe('searxng()', () => {
  it('asks for JSON and returns the pages that the engine found, in its order', async () => {
    const { engine, search } = await start();
    expect(await search.find('What is an ETag? & more', patience)).toEqual([
      {
        url: 'https://example.com/etag',
        title: 'What an ETag is',
        excerpt: 'An ETag names one version of a resource.',
      },
      { url: 'https://example.org/caching', title: 'Caching, explained', excerpt: 'Caches ask with If-None-Match.' },
    ]);
    expect(engine.paths).toEqual(['/search?q=What+is+an+ETag%3F+%26+more&format=json']);
  });

  it('works below a path, and shortens the query to one line', async () => {
    const { engine, search } = await start({}, '/searx');
    await search.find(`a\n\u0000b ${'é'.repeat(2000)}`, patience);
    expect(engine.paths[0]).toMatch(/^\/searx\/search\?/);
    expect(engine.queries[0]).toMatch(/^a b é+…$/);
    expect(engine.queries[0]).toHaveLength(400);
  });

  it('returns only web addresses, each once, as ASCII', async () => {
    const results = await found(
      ...[
        'javascript:alert(1)',
        'ftp://example.com/',
        'file:///etc/passwd',
        '/relative',
        'https://user:pass@example.com/',
        `https://example.com/${'x'.repeat(2000)}`,
        7,
        null,
      ].map((url) => ({ url, title: 'x' })),
      { url: 'https://exämple.com/ü', title: 'first' },
      { url: 'https://exämple.com/ü', title: 'second' },
      { url: 'HTTP://Example.com' },
    );
    expect(results).toEqual([
      { url: 'https://xn--exmple-cua.com/%C3%BC', title: 'first', excerpt: '' },
      { url: 'http://example.com/', title: 'example.com', excerpt: '' },
    ]);
  });

  it('makes one short line of each text, without characters that turn or hide letters', async () => {
    const [result] = await found({
      url: 'https://a.example/',
      title: 'a\u202eb\r\n\u001b[31mc\ud800',
      content: '😀'.repeat(5000),
    });
    expect(result!.title).toBe('a b [31mc\ufffd');
    expect(Array.from(result!.excerpt)).toHaveLength(600);
    expect(result!.excerpt.isWellFormed()).toBe(true);
  });

  it('returns at most ten results, and none when there are none', async () => {
    expect(
      await found(...Array.from({ length: 30 }, (_, at) => ({ url: `https://a.example/${at}`, title: 'x' }))),
    ).toHaveLength(10);
    expect(await found()).toEqual([]);
  });

  it.each<readonly [string, SearxngBehaviour, string]>([
    ['refuses JSON', { status: 403, body: '<html>' }, 'settings.yml'],
    ['redirects', { status: 302, headers: { Location: 'http://127.0.0.1:1/' } }, '302'],
    ['limits', { status: 429 }, '429'],
    ['answers with a page', { status: 200, body: '<html>' }, 'no list'],
    ['answers with a list', { status: 200, body: [] }, 'no list'],
    ['is silent', 'silent', 'in time'],
    ['is slow', { results: [], delayMs: 1000 }, 'in time'],
    ['hangs up', 'hang-up', 'could not be reached'],
    ['stops halfway', 'cut-off', 'could not be reached'],
    ['sends without end', 'too-large', 'more than is read'],
  ])('throws WebSearchUnavailable without the address when the engine %s', async (_, behaviour, words) => {
    const logged: unknown[] = [];
    const { engine, search } = await start({ log: { warn: (...line: unknown[]) => void logged.push(line) } });
    engine.answer(behaviour);
    const error = await search.find('x', patience).catch((thrown: unknown) => thrown as Error);
    expect(error).toBeInstanceOf(WebSearchUnavailable);
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).not.toContain('127.0.0.1');
    expect(logged).toEqual([[{ reason: (error as Error).message }, 'a web search failed']]);
  });

  it('ends when the caller leaves', async () => {
    const logged: unknown[] = [];
    const { engine, search } = await start({
      timeoutMs: 60_000,
      log: { warn: (...line: unknown[]) => void logged.push(line) },
    });
    engine.answer('silent');
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 50);
    await expect(search.find('x', caller.signal)).rejects.toThrow('was not waited for');
    expect(logged).toEqual([]);
  });
});
