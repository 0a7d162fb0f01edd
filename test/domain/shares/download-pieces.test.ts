import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { continueDownload, endPiece, type AskedBytes, type Piece } from '#server/domain/shares/download-pieces.ts';

const mebibyte = 1_048_576;
const sizeBytes = 200 * mebibyte;

const ask = (start: number, end = sizeBytes): AskedBytes => ({ start, end, isWhole: false, sizeBytes });
const sending = (start: number, end: number, claimId = 'a'): Piece => ({ start, end, softFrom: start, claimId });
const sent = (start: number, end: number, softFrom = end): Piece => ({ start, end, softFrom, claimId: null });

/** What comes of a request; `at` says how far the answer `a` is. */
function asked(pieces: readonly Piece[], request: AskedBytes, at?: number, resentBytes = 0) {
  return continueDownload(pieces, request, 'new', { resentBytes, positionOf: () => at });
}

describe('continueDownload()', () => {
  it('begins another download for all of the file, whatever was sent', () => {
    expect(asked([sent(1000, 2000)], { ...ask(0), isWhole: true })).toBe(undefined);
  });

  it('goes on behind what was sent, before it, and between', () => {
    expect(asked([sent(0, 1000)], ask(1000))).toMatchObject({ start: 1000, end: sizeBytes, cuts: [] });
    expect(asked([sent(1000, sizeBytes)], ask(0, 1000))).toMatchObject({ start: 0, end: 1000 });
    expect(asked([sent(0, 1000), sent(2000, 3000)], ask(1000, 2000))).toMatchObject({ start: 1000, end: 2000 });
  });

  it('begins another one for a byte that was sent, and for a range that runs into one', () => {
    expect(asked([sent(0, 1000)], ask(999))).toBe(undefined);
    expect(asked([sent(0, 1000)], ask(0, 10))).toBe(undefined);
    expect(asked([sent(1000, 2000)], ask(500, 1001))).toBe(undefined);
  });

  it('ends a range to the end of the file where the next piece begins', () => {
    expect(asked([sent(0, 1000), sent(5000, 6000)], ask(1000))).toMatchObject({ start: 1000, end: 5000 });
  });

  it('takes over what another answer was going to send, which ends before it', () => {
    const taken = asked([sending(0, sizeBytes)], ask(100 * mebibyte, 125 * mebibyte), mebibyte);
    expect(taken).toMatchObject({ start: 100 * mebibyte, end: 125 * mebibyte, cuts: [{ claimId: 'a', at: 100 * mebibyte }], resentBytes: 0 });
    expect(taken).toMatchObject({ pieces: [sending(0, 100 * mebibyte), sending(100 * mebibyte, 125 * mebibyte, 'new')].map((piece) => ({ start: piece.start, end: piece.end })) });
  });

  it('waits for an answer that has sent the byte, or begins with it', () => {
    expect(asked([sending(0, sizeBytes)], ask(1000), 1001)).toEqual({ busyWith: 'a' });
    expect(asked([sending(1, sizeBytes)], ask(1), 1)).toEqual({ busyWith: 'a' });
  });

  it('counts an answer that the process no longer knows as one that has sent nothing', () => {
    expect(asked([sending(0, sizeBytes)], ask(1000), undefined)).toMatchObject({ start: 1000 });
  });

  it('gives the last bytes of an answer that broke off once more, as often as the budget lasts', () => {
    const broken = sent(0, 100 * mebibyte, 84 * mebibyte);
    expect(asked([broken], ask(90 * mebibyte))).toMatchObject({ start: 90 * mebibyte, resentBytes: 10 * mebibyte });
    expect(asked([broken], ask(84 * mebibyte - 1))).toBe(undefined);
    expect(asked([broken], ask(90 * mebibyte), undefined, 54 * mebibyte)).toMatchObject({ resentBytes: 64 * mebibyte });
    expect(asked([broken], ask(90 * mebibyte), undefined, 54 * mebibyte + 1)).toBe(undefined);
    expect(asked([sent(0, 1000, 0)], { ...ask(0), sizeBytes: 2000, end: 2000 })).toBe(undefined);
  });
});

describe('endPiece()', () => {
  it('forgets an answer that sent nothing, and keeps what the others did', () => {
    expect(endPiece([sending(0, 1000)], 'a', 0, false)).toEqual([]);
    expect(endPiece([sent(0, 10), sending(10, 1000)], 'a', 10, false)).toEqual([sent(0, 10)]);
  });

  it('offers the last 16 MiB of one that broke off again, and nothing of a complete one', () => {
    expect(endPiece([sending(0, sizeBytes)], 'a', 100 * mebibyte, false)).toEqual([sent(0, 100 * mebibyte, 84 * mebibyte)]);
    expect(endPiece([sending(50, sizeBytes)], 'a', 1000, false)).toEqual([sent(50, 1000, 50)]);
    expect(endPiece([sending(0, sizeBytes)], 'a', sizeBytes, true)).toEqual([sent(0, sizeBytes)]);
  });

  it('joins what touches', () => {
    expect(endPiece([sent(0, 10), sending(10, 20), sent(20, 30)], 'a', 20, true)).toEqual([sent(0, 30)]);
  });
});

describe('a download in pieces', () => {
  it('gives no byte twice but those of answers that broke off, and those no more than 64 MiB', () => {
    const step = fc.record({ start: fc.nat(99), length: fc.integer({ min: 1, max: 100 }), share: fc.double({ min: 0, max: 1, noNaN: true }), breaks: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let pieces: readonly Piece[] = [];
        let resentBytes = 0;
        const given = new Uint8Array(100);
        for (const { start, length, share, breaks } of steps) {
          const end = Math.min(100, start + length);
          const request = { start: start * mebibyte, end: end * mebibyte, isWhole: false, sizeBytes: 100 * mebibyte };
          const next = continueDownload(pieces, request, 'new', { resentBytes, positionOf: () => undefined });
          if (!next || 'busyWith' in next) continue;
          ({ resentBytes } = next);
          const position = breaks ? next.start + Math.floor((share * (next.end - next.start)) / mebibyte) * mebibyte : next.end;
          pieces = endPiece(next.pieces, 'new', position, !breaks);
          for (let at = next.start / mebibyte; at < position / mebibyte; at++) given[at]!++;
          pieces.reduce((before, piece) => {
            expect(piece.start).toBeGreaterThanOrEqual(before);
            expect(piece.end).toBeGreaterThan(piece.start);
            return piece.end;
          }, 0);
        }
        const twice = given.reduce((sum, times) => sum + Math.max(0, times - 1), 0);
        expect(twice).toBeLessThanOrEqual(64);
      }),
      { numRuns: 2000 },
    );
  });
});
