import { describe, expect, it } from 'vitest';

import { citeSources } from '#server/features/chat/search/citations.ts';
import { shortestMs } from '#test/support/shortest.ts';

const source = (url: string, title = `title of ${url}`) => ({ url, title, excerpt: 'an excerpt' });

/** Returns each cited URL with the text at the place of its citation. */
function cited(text: string, ...urls: string[]): Array<[url: string, there: string]> {
  const answer = citeSources(
    text,
    urls.map((url) => source(url)),
  );
  return answer.citations.map(({ url, startIndex, endIndex }) => [url, answer.text.slice(startIndex, endIndex)]);
}

describe('citeSources()', () => {
  it('finds addresses between any other characters', () => {
    const url = 'https://example.com/a';
    for (const text of [
      `See (${url}).`,
      `[a](${url})`,
      `<${url}>`,
      `"${url}"`,
      `${url}, and`,
      `${url}! So`,
      `**${url}**`,
      `_${url}_`,
      `Is it ${url}?`,
      `${url}/ too`,
      url,
    ]) {
      const [[found, there] = [], ...more] = cited(text, url);
      expect([found, there?.replace(/\/$/, ''), more], text).toEqual([url, url, []]);
    }
  });

  it('does not find an address inside a longer one', () => {
    const text =
      'https://example.com/a https://example.com/ab https://example.com/a/b https://example.com/a?b=1 ' +
      'https://example.com/a.html';
    expect(cited(text, 'https://example.com/a')).toEqual([['https://example.com/a', 'https://example.com/a']]);
    expect(citeSources(text, [source('https://example.com/a')]).citations[0]).toMatchObject({
      startIndex: 0,
      endIndex: 21,
    });
    expect(cited('https://example.com/a/b', 'https://example.com/a', 'https://example.com/a/b')).toEqual([
      ['https://example.com/a/b', 'https://example.com/a/b'],
    ]);
  });

  it('chooses the longer of two addresses that both match', () => {
    const [short, long] = ['https://example.com/wiki/ETag', 'https://example.com/wiki/ETag_(HTTP)'];
    expect(cited(`See ${long} and ${short}.`, short, long)).toEqual([
      [long, long],
      [short, short],
    ]);
  });

  it('counts in UTF-16 code units', () => {
    const { citations } = citeSources('👩‍🚀 漢字 https://example.com/a.', [source('https://example.com/a', 'A')]);
    expect(citations).toEqual([{ url: 'https://example.com/a', title: 'A', startIndex: 9, endIndex: 30 }]);
    expect('👩‍🚀 漢字 https://example.com/a.'.slice(9, 30)).toBe('https://example.com/a');
  });

  it('cites every place, in the order of the text', () => {
    const text = 'B https://b.example/ and A https://a.example/ and B https://b.example/.';
    expect(cited(text, 'https://a.example/', 'https://b.example/').map(([url]) => url)).toEqual([
      'https://b.example/',
      'https://a.example/',
      'https://b.example/',
    ]);
  });

  it('adds the first addresses below a text that cites none, each once', () => {
    const urls = [
      'https://a.example/1',
      'https://a.example/1',
      ...Array.from({ length: 8 }, (_, index) => `https://b.example/${index}`),
    ];
    const { text, citations } = citeSources(
      'It is so.  \n',
      urls.map((url) => source(url)),
    );
    expect(text).toBe(
      'It is so.\n\nSources:\n- https://a.example/1\n- https://b.example/0\n- https://b.example/1\n- ' +
        'https://b.example/2\n- https://b.example/3',
    );
    expect(citations.map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex))).toEqual([
      'https://a.example/1',
      ...[0, 1, 2, 3].map((index) => `https://b.example/${index}`),
    ]);
    expect(citeSources('', [source('https://a.example/1')]).text).toBe('Sources:\n- https://a.example/1');
  });

  it('leaves a text unchanged when the search found nothing', () => {
    expect(citeSources('It is so. https://elsewhere.example/ ', [])).toEqual({
      text: 'It is so. https://elsewhere.example/ ',
      citations: [],
    });
  });

  it('handles a text of nothing but addresses quickly', () => {
    const sources = Array.from({ length: 90 }, (_, index) => source(`https://example.com/${'a'.repeat(900)}${index}`));
    expect(shortestMs(() => citeSources('https://example.com/'.repeat(5000), sources))).toBeLessThan(300);
  });
});
