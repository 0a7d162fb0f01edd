import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  formatCursor,
  parseCursor,
  type CursorBinding,
  type ListPosition,
} from '#server/features/files/listing/list-cursor.ts';
import { noFilters, plainList } from '#server/features/files/listing/list-filters.ts';
import { spaces } from '#server/domain/object-id.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

const secrets = masterSecrets(Buffer.alloc(32, 1));
const binding: CursorBinding = {
  accountId: '204815162342108999',
  prefix: 'photos/',
  isPrivate: undefined,
  delimiter: false,
  ...plainList,
};
const position: ListPosition = { space: 'private', from: { behind: 'photos/a.png' } };
const invalid = expect.objectContaining({ code: 'INVALID_CONTINUATION_TOKEN' });

describe('parseCursor()', () => {
  it('reads the cursors of formatCursor()', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 100 });
    const from = fc.oneof(
      fc.constant(undefined),
      text.map((behind) => ({ behind })),
      text.map((at) => ({ at })),
    );
    const bindings = fc.record({
      accountId: text,
      prefix: text,
      isPrivate: fc.constantFrom(true, false, undefined),
      delimiter: fc.boolean(),
      sort: fc.constant('name' as const),
      isDescending: fc.boolean(),
      filters: fc.constant(noFilters),
    });
    fc.assert(
      fc.property(fc.constantFrom(...spaces), from, bindings, (space, start, bound) => {
        const cursor = formatCursor(secrets, { space, from: start }, bound);
        expect(parseCursor(secrets, cursor, bound)).toEqual({ space, from: start });
        expect(cursor).toMatch(/^[\w.-]+$/);
      }),
    );
  });

  it('stays under 2048 characters for the longest key', () => {
    expect(formatCursor(secrets, { space: 'public', from: { behind: 'é'.repeat(512) } }, binding).length).toBeLessThan(
      2048,
    );
  });

  it.each([
    ['another account', { accountId: '204815162342108998' }],
    ['another prefix', { prefix: 'photos' }],
    ['another visibility', { isPrivate: false }],
    ['folders', { delimiter: true }],
  ])('throws INVALID_CONTINUATION_TOKEN when it is used with %s', (_what, change) => {
    const cursor = formatCursor(secrets, position, binding);
    expect(() => parseCursor(secrets, cursor, { ...binding, ...change })).toThrow(invalid);
  });

  it('distinguishes no visibility filter from "public"', () => {
    const cursor = formatCursor(secrets, position, { ...binding, isPrivate: false });
    expect(() => parseCursor(secrets, cursor, binding)).toThrow(invalid);
  });

  it('throws INVALID_CONTINUATION_TOKEN for a forged position, kind, space or signature', () => {
    const cursor = formatCursor(secrets, position, binding);
    const [at, signature] = cursor.split('.') as [string, string];
    const key = Buffer.from('photos/').toString('base64url');
    const forged = [
      `0b${at.slice(2)}.${signature}`,
      `1a${at.slice(2)}.${signature}`,
      `1f.${signature}`,
      `1b${key}.${signature}`,
      `${at}.${signature.slice(0, -2)}`,
      `${at}.${'A'.repeat(43)}`,
      `${at}.`,
      at,
      `.${signature}`,
      `${at}.${signature}.x`,
      `${at} .${signature}`,
      `3b${at.slice(2)}.${signature}`,
      `${at}=.${signature}`,
      `${cursor}\n`,
      '',
      '.',
      'null',
    ];
    for (const one of forged) expect(() => parseCursor(secrets, one, binding), one).toThrow(invalid);
  });

  it('throws INVALID_CONTINUATION_TOKEN for a change of any character', () => {
    const cursor = formatCursor(secrets, position, binding);
    for (let at = 0; at < cursor.length; at++) {
      for (const other of ['', 'A', '_', '.', '\u0000']) {
        const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
        if (changed !== cursor) expect(() => parseCursor(secrets, changed, binding), changed).toThrow(invalid);
      }
    }
  });

  it('throws INVALID_CONTINUATION_TOKEN for every other text', () => {
    const cursor = formatCursor(secrets, position, binding);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.nat({ max: cursor.length - 44 }).map((place) => `${cursor.slice(0, place)}~${cursor.slice(place + 1)}`),
        ),
        (text) => {
          expect(() => parseCursor(secrets, text, binding)).toThrow(invalid);
        },
      ),
    );
  });

  it('rejects a cursor that another server made, or that was signed for another purpose', () => {
    const other = masterSecrets(Buffer.alloc(32, 2));
    expect(() => parseCursor(secrets, formatCursor(other, position, binding), binding)).toThrow(invalid);
    const relabelled = { sign: (_purpose: string, text: string) => secrets.sign('download-link', text) };
    expect(() => parseCursor(secrets, formatCursor(relabelled, position, binding), binding)).toThrow(invalid);
  });
});
