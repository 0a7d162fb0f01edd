import 'cubby/uploader/element'; // where there is no DOM it does nothing
import { describe, expect, it } from 'vitest';

import { isAccepted } from '#generated/uploader/element/accepted.js';
import { formatSize } from '#generated/uploader/element/format-size.js';

describe('formatSize()', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KB'],
    [20_000, '19.5 KB'],
    [1_048_575, '1 MB'],
    [314_572_800, '300 MB'],
    [10_737_418_240, '10 GB'],
  ])('writes %i as %j', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});

describe('isAccepted()', () => {
  const photo = { name: 'Photo.PNG', type: 'image/png' };
  it.each(['', '.png', ' .jpg , .PNG', 'image/*', 'IMAGE/PNG', 'text/plain,image/png'])('takes a PNG with accept=%j', (accept) => {
    expect(isAccepted(photo, accept)).toBe(true);
  });
  it.each(['.pn', '.pdf', 'image/jpeg', 'text/*', 'png'])('refuses a PNG with accept=%j', (accept) => {
    expect(isAccepted(photo, accept)).toBe(false);
  });
});
