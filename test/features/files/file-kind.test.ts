import { describe, expect, it } from 'vitest';

import { kindOf, kindOfKey } from '#server/features/files/file-kind.ts';

describe('kindOf()', () => {
  it.each([
    ['a.bin', 'image/webp', 'image'],
    ['a', 'Application/PDF; charset=x', 'pdf'],
    ['a', 'text/csv', 'sheet'],
    ['a', 'text/x-log', 'text'],
    ['a', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document'],
    ['a', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', 'slides'],
    ['a', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sheet'],
    ['a', 'application/gzip', 'archive'],
    ['backup.TAR', 'application/octet-stream', 'archive'],
    ['a.exe', 'application/octet-stream', 'other'],
  ])('%s of type %s is of the kind %s', (name, contentType, kind) => {
    expect(kindOf({ name, contentType })).toBe(kind);
  });
});

describe('kindOfKey()', () => {
  it.each([
    ['a/photo_k3v9q2m7x4b6n5tw-ex30.JPG', 'image'],
    ['site.tar.gz', 'archive'],
    ['page.html', 'text'],
    ['logo.svg', 'image'],
    ['notes.md', 'text'],
    ['data.json', 'text'],
    ['books.xlsx', 'sheet'],
    ['pdf', 'other'],
    ['a.pdf/b', 'other'],
    ['film.mp4', 'video'],
  ])('%s is of the kind %s', (key, kind) => {
    expect(kindOfKey(key)).toBe(kind);
  });
});
