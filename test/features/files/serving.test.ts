import { describe, expect, it } from 'vitest';

import { servingOf } from '#server/features/files/serving.ts';

const object = { key: 'a/photo.png', disposition: null, originalName: null };

describe('servingOf()', () => {
  it('leaves the disposition to the browser unless one was set', () => {
    expect(servingOf(object)).toEqual({ contentType: 'image/png', disposition: null, filename: 'photo.png' });
    expect(servingOf({ ...object, disposition: 'attachment' }).disposition).toBe('attachment');
    expect(servingOf({ ...object, disposition: 'inline' }).disposition).toBe('inline');
  });

  it('serves a type that a browser would run as an attachment, whatever its owner requested', () => {
    expect(servingOf({ ...object, key: 'page.html', disposition: 'inline' })).toEqual({
      contentType: 'application/octet-stream',
      disposition: 'attachment',
      filename: 'page.html',
    });
  });

  it('takes the type from the key, and not from the original name', () => {
    expect(servingOf({ key: 'x.html', disposition: 'inline', originalName: 'photo.png' })).toEqual({
      contentType: 'application/octet-stream',
      disposition: 'attachment',
      filename: 'photo.png',
    });
    expect(servingOf({ key: 'x.png', disposition: 'inline', originalName: 'page.html' }).contentType).toBe('image/png');
  });

  it('returns the original name as the filename, or else the end of the key', () => {
    expect(servingOf({ ...object, originalName: 'Urlaub 1.png' }).filename).toBe('Urlaub 1.png');
    expect(servingOf({ ...object, originalName: '' }).filename).toBe('photo.png');
  });
});
