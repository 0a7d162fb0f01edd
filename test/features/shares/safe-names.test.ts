import { describe, expect, it } from 'vitest';

import { safePath, uniquePaths } from '#server/features/shares/safe-names.ts';
import { threadMs } from '#test/support/thread-ms.ts';

describe('safePath()', () => {
  it.each([
    ['folder/a.txt', 'folder/a.txt'],
    ['../../etc/passwd', 'etc/passwd'],
    ['/etc/passwd', 'etc/passwd'],
    ['a//b/./c/../d', 'a/b/c/d'],
    ['C:\\Windows\\win.ini', 'C__Windows_win.ini'],
    ['..\\..\\up.txt', '.._.._up.txt'],
    ['con.txt', '_con.txt'],
    ['folder/NUL', 'folder/_NUL'],
    ['comet.txt', 'comet.txt'],
    ['ends in a dot.', 'ends in a dot_'],
    ['ends in blanks  ', 'ends in blanks_'],
    [' . ', 'file'],
    ['', 'file'],
    ['..', 'file'],
    ['../', ''],
    ['empty/', 'empty/'],
    ['a\u0000b\nc\u202egnp.exe', 'abcgnp.exe'],
    ['a?b*c<d>e"f|g:h', 'a_b_c_d_e_f_g_h'],
    ['Ärger 世界 👩‍👩‍👧.txt', 'Ärger 世界 👩‍👩‍👧.txt'],
    ['\ud800.txt', '\ufffd.txt'],
  ])('returns for %j the path %j', (path, safe) => expect(safePath(path)).toBe(safe));

  it('shortens long names before their extension', () => {
    const safe = safePath(`folder/${'ä'.repeat(300)}.tar`);
    expect(safe).toMatch(/^folder\/ä+\.tar$/);
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(7 + 240);
    expect(Buffer.byteLength(safePath(`a.${'x'.repeat(900)}`))).toBeLessThanOrEqual(240);
  });
});

describe('uniquePaths()', () => {
  it('numbers equal names, whatever their case and form', async () => {
    expect(await uniquePaths(['a.txt', 'A.TXT', 'a.txt', 'a (2).txt', 'é', 'e\u0301', 'b/', 'b/', 'x/a.txt'])).toEqual([
      ...['a.txt', 'A (2).TXT', 'a (3).txt', 'a (2) (2).txt', 'é', 'e\u0301 (2)', 'b/', 'b/', 'x/a.txt'],
    ]);
  });

  it('gives a file another name if it has that of a folder', async () => {
    expect(await uniquePaths(['a', 'a/b', 'A/c'])).toEqual(['a (2)', 'a/b', 'A/c']);
  });

  it('numbers thousands of equal names in a moment', async () => {
    const before = threadMs();
    const unique = await uniquePaths(Array.from({ length: 10_000 }, () => 'photo.jpg'));
    expect(new Set(unique).size).toBe(10_000);
    expect(threadMs() - before).toBeLessThan(1000);
  });
});
