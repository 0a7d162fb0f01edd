import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { resolve, type Json } from '#openapi/codegen/document.ts';
import { limitsPage } from './limits-page.ts';
import { size, time } from './limits-sizes.ts';

const root = join(import.meta.dirname, '../..');
const document: Json = JSON.parse(readFileSync(join(root, 'generated/openapi.json'), 'utf8'));

/** `npx vitest run test/docs/limits.test.ts -u` writes the page anew. */
it('docs/limits.md has the figures of the contract and of the server', async () => {
  await expect(limitsPage(document)).toMatchFileSnapshot(join(root, 'docs/limits.md'));
});

it.each([
  ['ObjectName', [`${'a'.repeat(128)}`, 'a_B-2.c'], [`${'a'.repeat(129)}`, '', 'a b']],
  ['ObjectPrefix', [Array(8).fill('a').join('/'), 'a'.repeat(64)], [Array(9).fill('a').join('/'), 'a'.repeat(65)]],
  ['ObjectPrefix', [Array(4).fill('a'.repeat(63)).join('/')], [Array(5).fill('a'.repeat(63)).join('/')]],
])('the words about names are those of %s', (schema, taken, refused) => {
  const pattern = new RegExp(resolve(document, document.components.schemas[schema]).pattern, 'u');
  expect(taken.filter((one) => !pattern.test(one))).toEqual([]);
  expect(refused.filter((one) => pattern.test(one))).toEqual([]);
});

it('sizes and times are in the largest unit that divides them', () => {
  expect([512, 1000, 1024, 104_857_600, 10_737_418_240].map(size)).toEqual([
    '512 bytes',
    '1,000 bytes',
    '1 KiB',
    '100 MiB',
    '10 GiB',
  ]);
  expect([5000, 60_000, 900_000, 5_400_000, 86_400_000, 2_592_000_000].map(time)).toEqual([
    '5 seconds',
    '1 minute',
    '15 minutes',
    '90 minutes',
    '1 day',
    '30 days',
  ]);
});
