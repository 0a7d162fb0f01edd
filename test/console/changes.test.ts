import { expect, it } from 'vitest';

import type { Share } from '#dist/modules/client/index.js';
import { programs, quoted, recipeOf } from '#console/screens/s3/recipes.ts';
import { changeOf } from '#console/screens/shares/share-change.ts';
import { stateOf } from '#console/screens/shares/share-state.ts';

const share: Share = {
  id: 'exampleshare000000000001',
  url: 'https://files.cubby.invalid/s/x',
  object: 'prv/204815162342108999/a.pdf',
  kind: 'file',
  expires_at: '2026-05-02T00:00:00.000Z',
  max_downloads: 3,
  downloads: 1,
  remaining_downloads: 2,
  password: true,
  landing: true,
  title: 'Lease',
  created_at: '2026-05-01T00:00:00.000Z',
};
const form = {
  seconds: undefined,
  cap: '3',
  password: 'keep',
  newPassword: '',
  landing: true,
  title: 'Lease',
  message: '',
} as const;

it('changes nothing of a link that was not touched', () => {
  expect(changeOf(share, form)).toBeUndefined();
});

it.each([
  [{ seconds: 3600 }, { expires_in: 3600 }],
  [{ cap: '' }, { max_downloads: null }],
  [{ cap: '10' }, { max_downloads: 10 }],
  [{ password: 'remove' }, { password: null }],
  [{ password: 'change', newPassword: 'another-one' }, { password: 'another-one' }],
  [{ landing: false }, { landing: false }],
  [{ title: ' ' }, { title: null }],
  [{ message: 'Hello' }, { message: 'Hello' }],
] as const)('the form %j of a link is the change %j', (typed, change) => {
  expect(changeOf(share, { ...form, ...typed })).toEqual({ id: share.id, ...change });
});

it('says whether a link works', () => {
  const nowMs = Date.parse('2026-05-01T12:00:00Z');
  expect(stateOf(share, nowMs)).toBe('active');
  expect(stateOf({ ...share, remaining_downloads: 0 }, nowMs)).toBe('used');
  expect(stateOf({ ...share, remaining_downloads: null }, nowMs)).toBe('active');
  expect(stateOf(share, nowMs + 86_400_000)).toBe('ended');
});

it('quotes what a shell would read otherwise', () => {
  expect(quoted('abc-1./:@')).toBe('abc-1./:@');
  expect(quoted("a b'$(rm)")).toBe(String.raw`'a b'\''$(rm)'`);
});

it.each(programs)('the lines for %s have the pair, the endpoint and the folder', (program) => {
  const lines = recipeOf(program, {
    endpoint: 'https://s3.example.com/',
    region: 'auto',
    accessKeyId: 'CB1',
    secretAccessKey: 'secret_1',
    bucket: 'private',
    folder: 'photos',
  });
  for (const text of ['CB1', 'secret_1', 's3.example.com', 'photos/']) expect(lines).toContain(text);
});
