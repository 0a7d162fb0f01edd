import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { continueDownload, endPiece, type AskedBytes, type Continuation, type Piece } from '#server/domain/shares/download-pieces.ts';

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

  it('gives the last bytes of an answer once more, as often as the file is long', () => {
    const broken = sent(0, 100 * mebibyte, 84 * mebibyte);
    expect(asked([broken], ask(85 * mebibyte))).toMatchObject({ start: 85 * mebibyte, resentBytes: 15 * mebibyte });
    expect(asked([broken], ask(84 * mebibyte - 1))).toBe(undefined);
    expect(asked([broken], ask(85 * mebibyte), undefined, 185 * mebibyte)).toMatchObject({ resentBytes: sizeBytes });
    expect(asked([broken], ask(85 * mebibyte), undefined, 185 * mebibyte + 1)).toBe(undefined);
  });

  it('asks less of whoever has got a good part meanwhile: that part', () => {
    const broken = sent(0, 100 * mebibyte, 84 * mebibyte);
    expect(asked([broken], ask(88 * mebibyte))).toMatchObject({ resentBytes: 4 * mebibyte });
    expect(asked([broken], ask(95 * mebibyte))).toMatchObject({ resentBytes: 5 * mebibyte });
    expect(asked([broken], ask(88 * mebibyte, 100 * mebibyte))).toMatchObject({ resentBytes: 12 * mebibyte });
  });

  it('takes it that all before has arrived where the rest is asked for, and gives no byte of that again', () => {
    const next = asked([sent(0, 100, 0)], ask(50))!;
    expect(next).toMatchObject({ pieces: [sent(0, 50), { start: 50, end: sizeBytes }] });
    const ended = endPiece((next as Continuation).pieces, 'new', 80, false);
    expect(ended).toEqual([sent(0, 80, 50)]);
    expect(asked(ended, ask(49))).toBe(undefined);
  });

  it('sends a range again and no byte behind it', () => {
    expect(asked([sent(0, 100, 0)], ask(50, 60))).toMatchObject({ pieces: [sent(0, 50, 0), { start: 50, end: 60 }, sent(60, 100, 60)], start: 50, end: 60, resentBytes: 10 });
  });

  it('begins another one for the first byte, and for the one that a download began with', () => {
    expect(asked([sent(0, 1000, 0)], ask(0))).toBe(undefined);
    expect(asked([sent(7, 1000, 7)], ask(7))).toBe(undefined);
    expect(asked([sent(7, 1000, 7)], ask(8))).toMatchObject({ start: 8 });
  });
});

describe('endPiece()', () => {
  it('forgets an answer that sent nothing, and keeps what the others did', () => {
    expect(endPiece([sending(0, 1000)], 'a', 0, false)).toEqual([]);
    expect(endPiece([sent(0, 10), sending(10, 1000)], 'a', 10, false)).toEqual([sent(0, 10)]);
  });

  it('offers the last 16 MiB of one again, also of a complete one, which a kernel may hold', () => {
    expect(endPiece([sending(0, sizeBytes)], 'a', 100 * mebibyte, false)).toEqual([sent(0, 100 * mebibyte, 84 * mebibyte)]);
    expect(endPiece([sending(50, sizeBytes)], 'a', 1000, false)).toEqual([sent(50, 1000, 50)]);
    expect(endPiece([sending(0, sizeBytes)], 'a', sizeBytes, true)).toEqual([sent(0, sizeBytes, 184 * mebibyte)]);
    expect(endPiece([sending(0, 1000)], 'a', 1000, true)).toEqual([sent(0, 1000, 0)]);
  });

  it('keeps an answer that had nothing to send', () => {
    expect(endPiece([sending(0, 0)], 'a', 0, true)).toEqual([sent(0, 0)]);
  });

  it('joins what touches', () => {
    expect(endPiece([sent(0, 10), sending(10, 20), sent(20, 30, 20)], 'a', 20, true)).toEqual([sent(0, 30, 10)]);
    expect(endPiece([sent(0, 10, 5), sending(10, 20)], 'a', 20, true)).toEqual([sent(0, 20, 5)]);
    const small = Array.from({ length: 32 }, (_, at) => sent(at * mebibyte, (at + 1) * mebibyte, at * mebibyte));
    expect(endPiece(small, 'a', 0, true)).toEqual([sent(0, 32 * mebibyte, 16 * mebibyte)]);
  });

  it('keeps apart what may be asked for again before what may not', () => {
    const pieces = [sent(0, 10, 5), sent(10, 30)];
    expect(endPiece(pieces, 'a', 0, true)).toEqual(pieces);
  });
});

describe('a download in pieces', () => {
  it('comes to its end over a line that breaks again and again, if it only goes forward', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 60 }), fc.integer({ min: 0, max: 100 }), (gotPercent, sizeMebibytes) => {
        const size = (sizeMebibytes + 1) * mebibyte;
        const lost = 4 * mebibyte;
        const step = Math.max(mebibyte, Math.floor((size * gotPercent) / 100));
        let pieces: readonly Piece[] = endPiece([sending(0, size, 'new')], 'new', Math.min(size, step + lost), step + lost >= size);
        let resentBytes = 0;
        for (let has = step; has < size; has += step) {
          const next = continueDownload(pieces, { start: has, end: size, isWhole: false, sizeBytes: size }, 'new', { resentBytes, positionOf: () => undefined });
          expect(next).toMatchObject({ start: has });
          ({ resentBytes } = next as Continuation);
          const position = Math.min(size, has + step + lost);
          pieces = endPiece((next as Continuation).pieces, 'new', position, position === size);
        }
        expect(resentBytes).toBeLessThanOrEqual(size);
      }),
    );
  });

  it('gives no more than eight files beyond the first, however it is asked', () => {
    const step = fc.record({ start: fc.nat(99), length: fc.integer({ min: 1, max: 100 }), share: fc.double({ min: 0, max: 1, noNaN: true }), breaks: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
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
        expect(twice).toBeLessThanOrEqual(800);
      }),
      { numRuns: 2000 },
    );
  });
});
