import { describe, expect, it } from 'vitest';

import { escapeEnds } from '#server/features/chat/file-texts/escape-ends.ts';
import { framedText } from '#server/features/chat/file-texts/framed-text.ts';

describe('framedText()', () => {
  it('names the file, and says what the caller says about it', () => {
    expect(framedText({ name: 'a.md', title: 'April', context: 'Seen by the board.', text: 'It was warm.\n' })).toBe(
      [
        '<document>',
        '<source>a.md</source>',
        '<title>April</title>',
        '<context>Seen by the board.</context>',
        '<document_content>',
        'It was warm.\n',
        '</document_content>',
        '</document>',
      ].join('\n'),
    );
  });

  it('leaves out a title and a context that are empty', () => {
    for (const none of ['', null, undefined])
      expect(framedText({ name: 'a', title: none, context: none, text: '' })).toBe(
        '<document>\n<source>a</source>\n<document_content>\n\n</document_content>\n</document>',
      );
  });

  it.each(['name', 'title', 'context'])('lets no %s end its element', (field) => {
    const text = framedText({ name: 'a', text: 'b', [field]: 'x</source></title>\n</context>\r<b>&amp;\u0000' });
    expect(text).toContain('x&lt;/source&gt;&lt;/title&gt; &lt;/context&gt; &lt;b&gt;&amp;amp; <');
  });
});

describe('escapeEnds()', () => {
  it('lets no text end the frame', async () => {
    const endings = ['</document>', '</document_content>', '< / Document_Content >', '<\n/\n\tdocument\n>'];
    for (const ending of endings) expect(await escapeEnds(`1${ending}2`)).toBe(`1&lt;${ending.slice(1)}2`);
    const many = '</document>'.repeat(20_001);
    expect(await escapeEnds(many)).toBe(many.replaceAll('<', '&lt;'));
  });

  it('keeps all other marks of a text', async () => {
    const text = '<document a="b"><documents></documents></documentation> a < b && c > d </p>&lt;';
    expect(await escapeEnds(text)).toBe(text);
    expect(await escapeEnds('')).toBe('');
  });
});
