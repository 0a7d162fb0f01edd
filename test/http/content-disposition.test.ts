import { parse } from 'content-disposition';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cleanFilename, contentDisposition } from '#server/http/content-disposition.ts';
import { shortestMs } from '#test/support/shortest.ts';

describe('contentDisposition()', () => {
  it.each([
    ['report.pdf', 'attachment; filename=report.pdf'],
    ['annual report.pdf', 'attachment; filename="annual report.pdf"'],
    ['naïve.txt', `attachment; filename=naive.txt; filename*=UTF-8''na%C3%AFve.txt`],
    ['日本.png', `attachment; filename=__.png; filename*=UTF-8''%E6%97%A5%E6%9C%AC.png`],
    ['🦊.png', `attachment; filename=_.png; filename*=UTF-8''%F0%9F%A6%8A.png`],
    ['a"b\\c.txt', `attachment; filename=a_b_c.txt; filename*=UTF-8''a%22b%5Cc.txt`],
    ['50%41.txt', `attachment; filename=50_41.txt; filename*=UTF-8''50%2541.txt`],
    ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"`],
    ['a\r\nSet-Cookie: x', `attachment; filename="a__Set-Cookie: x"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x`],
    ['', 'attachment'],
  ])('%j → %s', (filename, expected) => {
    expect(contentDisposition('attachment', filename)).toBe(expected);
  });

  it('writes inline as well', () => {
    expect(contentDisposition('inline', 'a.png')).toBe('inline; filename=a.png');
  });

  it('writes any name so that a parser gets it back, in allowed header characters only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (filename) => {
        const header = contentDisposition('attachment', filename);
        expect(header).toMatch(/^[\x20-\x7e]+$/);
        expect(parse(header).parameters['filename']).toBe(filename.toWellFormed());
      }),
    );
  });

  it('accepts half a surrogate pair', () => {
    expect(contentDisposition('attachment', 'a\ud800.txt')).toContain("filename*=UTF-8''a%EF%BF%BD.txt");
  });
});

describe('cleanFilename()', () => {
  it.each([
    ['report.pdf', 'report.pdf', 'a plain name'],
    ['../../etc/passwd', 'passwd', 'a path'],
    ['C:\\Users\\me\\cv.docx', 'cv.docx', 'a Windows path'],
    ['a/b\\c/d.txt', 'd.txt', 'both separators'],
    ['dir/', '', 'a folder'],
    ['..', '', 'the parent'],
    ['.', '', 'the folder itself'],
    ['.htaccess', 'htaccess', 'a hidden file'],
    ['...x', 'x', 'leading dots'],
    ['name. . ', 'name', 'trailing dots and spaces, which Windows drops'],
    ['  a b.txt  ', 'a b.txt', 'leading and trailing spaces'],
    ['a\u0000b\r\nc\u007f\u0085.txt', 'abc.txt', 'control characters'],
    ['.\u0000./x/..\u0000', '', 'control characters that hide a path part'],
    ['photo\u202Egnp.exe', 'photognp.exe', 'a right-to-left override'],
    ['\u2066a\u2069\u200f.txt', 'a.txt', 'isolates and marks'],
    ['\ufeffa.txt', 'a.txt', 'a byte order mark'],
    ['e\u0301.txt', 'é.txt', 'a decomposed letter, which is composed'],
    ['می\u200cخواهم.txt', 'می\u200cخواهم.txt', 'a non-joiner, which Persian needs'],
    ['👩‍💻.png', '👩‍💻.png', 'a joiner, which emoji need'],
    ['', '', 'an empty name'],
    [' .. ', '', 'a name that becomes empty'],
  ])('%j → %j: %s', (raw, expected) => {
    expect(cleanFilename(raw)).toBe(expected);
  });

  it.each([
    [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(251)}.pdf`],
    [`${'a'.repeat(300)}.fastq.gz`, `${'a'.repeat(246)}.fastq.gz`],
    [`${'é'.repeat(200)}.txt`, `${'é'.repeat(125)}.txt`],
    [`${'🦊'.repeat(100)}.txt`, `${'🦊'.repeat(62)}.txt`],
    ['a'.repeat(300), 'a'.repeat(255)],
  ])('shortens %# to 255 bytes, and keeps its extension and whole characters', (raw, expected) => {
    expect(cleanFilename(raw)).toBe(expected);
  });

  it('returns a safe name that stays the same when cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (raw) => {
        const name = cleanFilename(raw);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/[/\\\p{Cc}]|^\.|\.$/u);
        expect(cleanFilename(name)).toBe(name);
      }),
    );
  });

  it('cleans a long name in a short time', () => {
    expect(shortestMs(() => cleanFilename(`a${' .'.repeat(100_000)}x`))).toBeLessThan(250);
    expect(shortestMs(() => cleanFilename('.a'.repeat(100_000)))).toBeLessThan(250);
  });
});
