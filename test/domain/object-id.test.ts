import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatObjectId, parseObjectId, spaces } from '#server/domain/object-id.ts';

const accountId = '204815162342108999';
const invalid = { code: 'INVALID_OBJECT' };

const accounts = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 18, maxLength: 18 })
  .map((digits) => digits.join(''));
/** Segments of keys. Empty ones occur in keys that were written over S3. */
const segments = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((text) => !/[\u0000-\u001f\u007f/]/.test(text) && text !== '.' && text !== '..');
const keys = fc
  .array(segments, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('/'))
  .filter((key) => key !== '' && Buffer.byteLength(key) <= 1024);

describe('parseObjectId()', () => {
  it('reads every id of formatObjectId()', () => {
    fc.assert(
      fc.property(accounts, fc.constantFrom(...spaces), keys, (owner, space, key) => {
        const address = { accountId: owner, space, key };
        expect(parseObjectId(formatObjectId(address), owner)).toEqual(address);
      }),
      { numRuns: 500 },
    );
  });

  it('reads only ids of formatObjectId(), so no two texts are the same file', () => {
    const near = fc.tuple(
      fc.constantFrom('', 'pub/', 'prv/', 'PUB/', 'pub//', '/', 'pub/pub/'),
      fc.constantFrom(accountId, `${accountId}1`, accountId.slice(1)),
      fc.constantFrom('/', '', '//'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          near.map((parts) => parts.join('')),
        ),
        (id) => {
          let address;
          try {
            address = parseObjectId(id, accountId);
          } catch (error) {
            expect(error).toMatchObject(invalid);
            return;
          }
          expect(formatObjectId(address)).toBe(id);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    [`pub/${accountId}/cubby.png`, 'public', 'cubby.png'],
    [`prv/${accountId}/a/b_abcdefghijklmnop-ex6h.tar.gz`, 'private', 'a/b_abcdefghijklmnop-ex6h.tar.gz'],
    [`${accountId}/old/photo.jpg`, 'legacy', 'old/photo.jpg'],
    [`pub/${accountId}/${'é'.repeat(512)}`, 'public', 'é'.repeat(512)],
    [`pub/${accountId}/.../a..b/c.`, 'public', '.../a..b/c.'],
    [`${accountId}/pub/${accountId}/x`, 'legacy', `pub/${accountId}/x`],
  ])('reads %s', (id, space, key) => {
    expect(parseObjectId(id, accountId)).toEqual({ accountId, space, key });
  });

  it.each([
    ['another account', 'pub/204815162342108998/cubby.png'],
    ['no account', 'pub/cubby.png'],
    ['a shorter account', 'pub/20481516234210899/cubby.png'],
    ['no key', `pub/${accountId}/`],
    ['no slash', `pub/${accountId}`],
    ['a leading slash', `/pub/${accountId}/x`],
    ['another space', `prx/${accountId}/x`],
    ['upper case', `PUB/${accountId}/x`],
    ['parent segments', `pub/${accountId}/a/../b`],
    ['a parent at the end', `pub/${accountId}/a/..`],
    ['a parent at the start', `pub/${accountId}/../204815162342108998/x`],
    ['a dot segment', `pub/${accountId}/./x`],
    ['a NUL', `pub/${accountId}/a\u0000b`],
    ['a line break', `pub/${accountId}/a\nb`],
    ['DEL', `pub/${accountId}/a\u007f`],
    ['half a character', `pub/${accountId}/a\ud83d`],
    ['1025 bytes', `pub/${accountId}/${'é'.repeat(512)}x`],
    ['other digits', 'pub/２０４８１５１６２３４２１０８９９９/x'],
    ['a line before', `x\npub/${accountId}/x`],
    ['nothing', ''],
  ])('throws INVALID_OBJECT for %s', (_what, id) => {
    expect(() => parseObjectId(id, accountId)).toThrow(expect.objectContaining(invalid));
  });
});
