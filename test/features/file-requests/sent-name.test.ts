import { describe, expect, it } from 'vitest';

import { isKey } from '#server/domain/object-id.ts';
import { endingOf, freeName, senderFolder, sentPath } from '#server/features/file-requests/sent-name.ts';

describe('sentPath()', () => {
  it.each([
    ['beach.jpg', 'beach.jpg'],
    ['photos/2026/beach.jpg', 'photos/2026/beach.jpg'],
    ['../../etc/passwd', 'etc/passwd'],
    ['C:\\Users\\ann\\a.txt', 'C:/Users/ann/a.txt'],
    ['/absolute//a.txt', 'absolute/a.txt'],
    ['./a/./b.txt', 'a/b.txt'],
    ['a.exe.', 'a.exe'],
    ['a.exe . .', 'a.exe'],
    ['.htaccess', '.htaccess'],
    ['a\u0000b\r\nc.txt', 'a b c.txt'],
    ['cod\u202Exe.txt', 'cod xe.txt'],
    ['e\u0301.txt', 'é.txt'],
    ['"quoted" & <b>.txt', '"quoted" & <b>.txt'],
    ['half \ud83d.txt', 'half \ufffd.txt'],
  ])('makes %j to %j', (given, path) => {
    expect(sentPath(given)).toBe(path);
    expect(isKey(path)).toBe(true);
  });

  it.each([
    [''],
    ['.'],
    ['..'],
    ['../'],
    ['/'],
    ['photos/'],
    ['\u0000'],
    [' . '],
    ['a/'.repeat(21) + 'b'],
    ['漢'.repeat(60) + '/' + ('漢'.repeat(60) + '/').repeat(5) + 'b'],
  ])('refuses %j', (given) => expect(sentPath(given)).toBeUndefined());

  it('cuts a long name, and keeps its extension', () => {
    const path = sentPath(`${'ü'.repeat(300)}.tar.gz`)!;
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(200);
    expect(path).toMatch(/^ü+\.tar\.gz$/);
  });

  it.each([
    ['a dot', `${'x'.repeat(195)}.exe.${'y'.repeat(150)}`],
    ['a blank', `${'x'.repeat(195)}.exe ${'y'.repeat(10)}.${'y'.repeat(150)}`],
  ])('cuts a long name before %s that systems drop', (_, given) => {
    expect(sentPath(given)).toBe(`${'x'.repeat(195)}.exe`);
  });

  it.each(['.\u00a0', '\u00a0.', '. \u3000.', '\u2003'])('drops the end %j', (end) => {
    expect(sentPath(`a.exe${end}`)).toBe('a.exe');
  });
});

describe('senderFolder()', () => {
  it('cuts a long name before a dot', () => {
    expect(senderFolder(`${'x'.repeat(119)}.${'y'.repeat(20)}`)).toBe('x'.repeat(119));
  });

  it.each([
    ['Ann', 'Ann'],
    ['../../etc', '..-..-etc'],
    ['..', 'Sender'],
    ['', 'Sender'],
    ['a/b\\c', 'a-b-c'],
    ['  李  ', '李'],
  ])('makes %j to %j', (given, folder) => expect(senderFolder(given)).toBe(folder));

  it('leaves space for the rest of a key', () => {
    expect(Buffer.byteLength(senderFolder('漢'.repeat(80)))).toBeLessThanOrEqual(120);
  });
});

describe('freeName()', () => {
  const among =
    (...taken: string[]) =>
    (name: string) =>
      Promise.resolve(taken.includes(name));

  it('adds the first free number before the extension', async () => {
    expect(await freeName('a.txt', among(), () => 'x')).toBe('a.txt');
    expect(await freeName('b/a.tar.gz', among('b/a.tar.gz', 'b/a (2).tar.gz'), () => 'x')).toBe('b/a (3).tar.gz');
    expect(await freeName('v1.2/readme', among('v1.2/readme'), () => 'x')).toBe('v1.2/readme (2)');
  });

  it('asks a few times, and takes a random name then', async () => {
    let asked = 0;
    const name = await freeName(
      'a.txt',
      async () => ++asked > 0,
      () => 'random',
    );
    expect([name, asked]).toEqual(['a (random).txt', 20]);
  });
});

describe('endingOf()', () => {
  it.each([
    ['a.JPG', '.JPG'],
    ['a.tar.GZ', '.tar.GZ'],
    ['.profile', ''],
    ['a', ''],
    ['a.', ''],
  ])('is of %j %j', (name, ending) => expect(endingOf(name)).toBe(ending));
});
