import { expect, it } from 'vitest';

import {
  filtersIn,
  noFilters,
  queryOf,
  setFilters,
  subjectOf,
  thatContain,
} from '#console/screens/activity/filters.ts';
import type { Activity } from '#dist/modules/client/index.js';

const entry = (change: Partial<Activity>): Activity => ({
  id: 'act_1',
  type: 'object.uploaded',
  at: '2026-04-21T12:00:00.000Z',
  details: {},
  source_ip: '203.0.113.7',
  user_agent: 'curl/8',
  auth: 'api_key',
  key_id: null,
  ...change,
});
const upload = entry({ object: 'prv/204815162342108999/a/Photo.jpg' });
const key = entry({
  id: 'act_2',
  type: 'key.created',
  auth: 's3',
  details: { name: 'Website' },
  at: '2026-04-19T12:00:00.000Z',
});

it('thatContain() looks for a text in files, names and details', () => {
  const all = [upload, key];
  expect(thatContain(all, '')).toEqual(all);
  expect(thatContain(all, ' photo')).toEqual([upload]);
  expect(thatContain(all, 'website')).toEqual([key]);
});

it('the filters of an address are those that were set, and ask the server for whole days', () => {
  const filters = { ...noFilters, type: 'key.created', prefix: 'a/b c', from: '2026-04-20', to: '2026-04-21' };
  expect(filtersIn(new URLSearchParams(setFilters(filters)))).toEqual(filters);
  expect(setFilters(noFilters)).toEqual({});
  expect(queryOf(filters)).toEqual({
    type: 'key.created',
    prefix: 'a/b c',
    from: new Date(2026, 3, 20).toISOString(),
    to: new Date(2026, 3, 22).toISOString(),
  });
  expect(queryOf({ ...noFilters, from: 'tomorrow' })).toEqual({});
});

it('subjectOf() is the path of a file, or the name of a key', () => {
  expect(subjectOf(upload)).toBe('a/Photo.jpg');
  expect(subjectOf(key)).toBe('Website');
  expect(subjectOf(entry({}))).toBe('–');
});
