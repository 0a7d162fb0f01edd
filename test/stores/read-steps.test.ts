import { expect, it } from 'vitest';

import type { Feature } from '#server/feature.ts';
import { readStepsOf } from '#server/stores/tables/read-steps.ts';

const one: Feature = { name: 'one', needs: [], readSteps: { objects: ['scan'] } };
const other: Feature = { name: 'other', needs: [], readSteps: { objects: ['expired'], purges: ['page'] } };

it('readStepsOf() joins the reads of features with those of the core', () => {
  expect(readStepsOf([other])).toMatchObject({ audit: ['scan'], objects: ['expired'], purges: ['page'] });
});

it('readStepsOf() refuses two features that name one table, because one would replace the other', () => {
  expect(() => readStepsOf([one, other])).toThrow('The readSteps of objects are in one and other. Keep them in one');
  expect(() => readStepsOf([{ ...one, readSteps: { audit: ['scan'] } }])).toThrow('audit are in the core and one.');
});
