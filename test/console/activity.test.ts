import { expect, it } from 'vitest';

import { noFilters, subjectOf, thatFit } from '#console/screens/activity/filters.ts';
import type { Activity } from '#generated/client/index.js';

const entry = (change: Partial<Activity>): Activity => ({
  id: 'act_1',
  type: 'object.uploaded',
  at: '2026-04-21T12:00:00.000Z',
  details: {},
  source_ip: '203.0.113.7',
  user_agent: 'curl/8',
  auth: 'api_key',
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

it('thatFit() filters by type, credential, text and days', () => {
  const all = [upload, key];
  expect(thatFit(all, noFilters)).toEqual(all);
  expect(thatFit(all, { ...noFilters, type: 'key.created' })).toEqual([key]);
  expect(thatFit(all, { ...noFilters, auth: 'api_key' })).toEqual([upload]);
  expect(thatFit(all, { ...noFilters, text: ' photo' })).toEqual([upload]);
  expect(thatFit(all, { ...noFilters, text: 'website' })).toEqual([key]);
  expect(thatFit(all, { ...noFilters, from: '2026-04-20' })).toEqual([upload]);
  expect(thatFit(all, { ...noFilters, to: '2026-04-20' })).toEqual([key]);
});

it('subjectOf() is the path of a file, or the name of a key', () => {
  expect(subjectOf(upload)).toBe('a/Photo.jpg');
  expect(subjectOf(key)).toBe('Website');
  expect(subjectOf(entry({}))).toBe('–');
});
