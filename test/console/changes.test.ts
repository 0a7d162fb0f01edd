import { expect, it } from 'vitest';

import type { FileRequest, Share } from '#dist/modules/client/index.js';
import * as requestForm from '#console/screens/file-requests/request-form.ts';
import { shownState } from '#console/screens/file-requests/request-state.ts';
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

const request = {
  id: 'examplerequest0000000001',
  url: 'https://files.cubby.invalid/r/x',
  title: 'Photos',
  prefix: 'party',
  state: 'open',
  deadline: '2026-05-01T18:00:30.000Z',
  grace: 90,
  max_files: 200,
  max_bytes: 5_368_709_121,
  max_size: null,
  allowed_extensions: ['jpg'],
  password: false,
  sender_folders: true,
  files: 0,
  bytes: 0,
  senders: 0,
  remaining_files: 200,
  remaining_bytes: null,
  held_files: 0,
  held_bytes: 0,
  created_at: '2026-04-01T00:00:00.000Z',
  closed_at: null,
} as unknown as FileRequest;

it('changes nothing of a request that was not touched, also with seconds in its deadline', () => {
  expect(requestForm.changeOf(request, requestForm.formOf(request, 'Asia/Tokyo'), 'Asia/Tokyo')).toBeUndefined();
});

it('changes only what was typed in a request', () => {
  const typed = { ...requestForm.formOf(request, 'UTC'), maxFiles: '', maxSize: '1 MB', deadline: '' };
  expect(requestForm.changeOf(request, typed, 'UTC')).toEqual({
    id: request.id,
    max_files: null,
    max_size: 1_048_576,
    deadline: null,
  });
});

it('says that an open request with nothing left is full', () => {
  expect(shownState(request)).toBe('open');
  expect(shownState({ ...request, remaining_files: 0 })).toBe('full');
  expect(shownState({ ...request, state: 'closed', remaining_files: 0 })).toBe('closed');
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
