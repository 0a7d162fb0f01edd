import { expect, it } from 'vitest';

import type { FileRequest } from '#dist/modules/client/index.js';
import * as requestForm from '#console/screens/file-requests/request-form.ts';
import { shownState } from '#console/screens/file-requests/request-state.ts';

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
