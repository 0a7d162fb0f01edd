import { describe, expect, it } from 'vitest';

import {
  joinedSealed,
  readableText,
  sealedIn,
  withPiece,
  type SealedParts,
} from '#server/features/chat/conversation/sealed.ts';

const text = { type: 'reasoning.text', text: 'a', index: 0 };
const summary = { type: 'reasoning.summary', summary: 's' };
const encrypted = { type: 'reasoning.encrypted', data: 'x', index: 0 };

/** Returns the details of a stream whose pieces have these details. */
function detailsOf(...pieces: ReadonlyArray<NonNullable<SealedParts['details']>>): SealedParts['details'] {
  return pieces.reduce<SealedParts | undefined>((sealed, details) => withPiece(sealed, { details }), undefined)
    ?.details;
}

describe('the details of a stream', () => {
  it.each([
    ['of a text', [[text], [{ ...text, text: 'b' }]], [{ ...text, text: 'ab' }]],
    ['of a summary', [[summary], [{ ...summary, summary: 't' }]], [{ ...summary, summary: 'st' }]],
    [
      'with a signature and an id at the end, and nulls before',
      [[{ ...text, signature: null, id: null }], [{ ...text, text: null, signature: 'c', id: 'r' }]],
      [{ ...text, signature: 'c', id: 'r' }],
    ],
  ])('are one if they are pieces %s', (_, pieces, expected) => {
    expect(detailsOf(...pieces)).toEqual(expected);
  });

  it.each([
    ['types', text, encrypted],
    ['indexes', text, { ...text, index: 1 }],
    ['ids', { ...text, id: 'a' }, { ...text, id: 'b' }],
    ['signatures', { ...text, signature: 'c' }, text],
    ['encrypted data', encrypted, encrypted],
  ])('stay two with different %s', (_, first, second) => {
    expect(detailsOf([first], [second])).toEqual([first, second]);
  });

  it('of one piece stay apart', () => {
    expect(detailsOf([text, text], [text, encrypted])).toEqual([text, { ...text, text: 'aa' }, encrypted]);
  });
});

describe('sealed parts', () => {
  it('of two messages are joined', () => {
    const [first, second] = [
      { details: [text], extra: { a: '1', b: '1' } },
      { details: [text], extra: { b: '2' } },
    ];
    expect(joinedSealed(first, second)).toEqual({ details: [text, text], extra: { a: '1', b: '2' } });
    expect([joinedSealed(first, undefined), joinedSealed(undefined, second)]).toEqual([first, second]);
    expect(joinedSealed({ extra: { a: '1' } }, { details: [text] })).toEqual({ extra: { a: '1' }, details: [text] });
  });

  it('may be read where they are no secret', () => {
    expect(readableText({ details: [text, summary, encrypted, { type: 'reasoning.text' }], extra: { a: 'b' } })).toBe(
      'as',
    );
  });

  it('are up to eight levels deep', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 'x' : { deep: deep(levels - 1) });
    expect(sealedIn({ extra_content: deep(8) })).toEqual({ extra: deep(8) });
    expect(sealedIn({ extra_content: deep(9) })).toBeUndefined();
  });
});
