import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { tagNames } from '#openapi/build/pages/tag-names.ts';

const folder = join(import.meta.dirname, '../../openapi');
const read = (path: string) => parse(readFileSync(join(folder, path), 'utf8'));

const operations = globSync('operations/*/*.yaml', { cwd: folder }).map((path) => ({
  id: basename(path, '.yaml'),
  room: basename(dirname(path)),
  tags: read(path).tags as readonly string[],
}));

it('every operation has one tag: that of its folder, or of the door of the operator', () => {
  expect(operations.length).toBeGreaterThan(100);
  const odd = operations.filter(({ room, tags }) => tags.length !== 1 || ![room, 'operator'].includes(tags[0]!));
  expect(odd).toEqual([]);
});

it('every tag has a description and a name in the menu', () => {
  const used = [...new Set(operations.flatMap(({ tags }) => tags))].toSorted();
  const described = (read('tags.yaml') as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name);
  expect([described.toSorted(), Object.keys(tagNames).toSorted()]).toEqual([used, used]);
});
