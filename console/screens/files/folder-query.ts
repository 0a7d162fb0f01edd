import type { listObjects } from '#dist/modules/client/index.js';

import type { Place } from './place.ts';

type Query = NonNullable<NonNullable<Parameters<typeof listObjects>[0]>['query']>;

/** Returns the query that lists a folder in the order of names. Names begin with `begins`. */
export function folderQuery({ prefix, space }: Place, begins = ''): Query {
  return {
    delimiter: '/',
    fields: 'original_name',
    ...(prefix + begins !== '' && { prefix: prefix + begins }),
    ...(space !== 'all' && { private: space === 'private' }),
  };
}
