import { expect, it } from 'vitest';

import { canonicalQuery } from '#server/signature-v4/canonical.ts';

it.each(['b=1&a=2&a=1', 'a=1&a=2&b=1', 'a=2&b=1&a=1', 'a=1&b=1&a=2'])(
  'canonicalQuery() sorts %s by name, and equal names by value',
  (query) => expect(canonicalQuery(query)).toBe('a=1&a=2&b=1'),
);
