import { expect, it } from 'vitest';

type RefusedClass = new (status: number, body: object, retryAfterMs?: number) => { readonly isPassing: boolean };

/** A script of the pages, which has no types. */
const script: string = '#server/features/file-requests/pages/sending/request.js';
const { Refused } = (await import(script)) as { readonly Refused: RefusedClass };

it.each([
  [409, {}, 2000, true],
  [507, {}, 2000, true],
  [507, {}, undefined, false],
  [501, {}, undefined, false],
  [500, {}, undefined, true],
  [429, {}, undefined, true],
  [409, { code: 'UPLOAD_OFFSET_MISMATCH' }, undefined, true],
  [404, { code: 'FILE_REQUEST_NOT_FOUND' }, undefined, false],
])('the page of a file request sends again after %i %j with a wait of %s: %s', (status, body, waitMs, isPassing) => {
  expect(new Refused(status, body, waitMs).isPassing).toBe(isPassing);
});
