import { describe, expect, it } from 'vitest';

import { href, parseRoute } from '#console/app/address.ts';

describe('the addresses of the console', () => {
  it.each([[['files', 'public', 'a b', 'c/d', 'ä%']], [['keys']], [[]]])(
    '%j comes back from its address',
    (segments) => {
      const [screen = '', ...rest] = segments;
      expect(parseRoute(href(segments), '')).toMatchObject({ screen, rest });
    },
  );

  it('a segment that is not encoded well stays as it is', () => {
    expect(parseRoute('/console/files/100%', '').rest).toEqual(['100%']);
  });

  it('has the query, without what is not set', () => {
    expect(href(['files'], { sort: 'size', kind: undefined })).toBe('/console/files?sort=size');
    expect(href(['files'], { kind: undefined })).toBe('/console/files');
    expect(parseRoute('/console/files', '?sort=size').query.get('sort')).toBe('size');
  });
});
