import { minProgressOfResent, resendableTailBytes } from '../limits.ts';

/** A run of bytes of a download that was sent or is being sent: the first of them, and the first one behind it. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /**
   * From here on the bytes may be asked for again, once the answer that sent them is over: what the network took from us and
   * never brought to the client cannot be known, and of a small file that is all of it. `end` where nothing may.
   */
  readonly softFrom: number;
  /** The answer that is sending it; null when it is over. */
  readonly claimId: string | null;
}

/** The bytes that a request wants. */
export interface AskedBytes {
  readonly start: number;
  readonly end: number;
  /** All of them, by a request without a range. */
  readonly isWhole: boolean;
  readonly sizeBytes: number;
}

/** What is known beside the pieces. */
export interface Progress {
  /** What was paid for bytes that were sent again; a download may pay as much as the file is long. */
  readonly resentBytes: number;
  /** The next byte that an answer will send; undefined when no such answer is under way, as after a crash. */
  positionOf(claimId: string): number | undefined;
}

/** How a request goes on with a download: what is covered then, which bytes are its own, and which answers end earlier for it. */
export interface Continuation {
  readonly pieces: readonly Piece[];
  readonly start: number;
  readonly end: number;
  readonly cuts: ReadonlyArray<{ readonly claimId: string; readonly at: number }>;
  readonly resentBytes: number;
}

/** It may fit once the answer that sends these bytes has ended: a client comes back sooner than its lost connection is noticed. */
export interface Busy {
  readonly busyWith: string;
}

/** Pieces of one download: a client that asks for more scattered ones begins another. */
const maxPieces = 1000;

/**
 * Whether a request goes on with a download: it wants only bytes that were not sent to it, or may have got lost. What another answer was about to
 * send, from some byte on, goes over to the request, since clients with several connections ask for the whole on the first
 * one and leave it midway. A request to the end of the file gets what is missing before the next piece. `undefined` when it is
 * a download of its own, as one of the whole file always is.
 */
export function continueDownload(pieces: readonly Piece[], asked: AskedBytes, claimId: string, progress: Progress): Continuation | Busy | undefined {
  if (asked.isWhole || pieces.length >= maxPieces) return undefined;
  const at = pieces.find(({ start, end }) => start <= asked.start && asked.start < end);
  // Whoever begins at the beginning, or where it began before, begins a download.
  const beginsAnew = asked.start === 0 || asked.start === pieces[0]?.start;
  const taken = at ? takeFrom(at, asked, progress, beginsAnew) : nothingTaken;
  if (!taken || 'busyWith' in taken) return taken;
  const next = Math.min(...pieces.filter(({ start }) => start > asked.start).map(({ start }) => start));
  if (next < asked.end && asked.end < asked.sizeBytes) return undefined;
  const own: Piece = { start: asked.start, end: Math.min(asked.end, next), softFrom: asked.start, claimId };
  const others = pieces.flatMap((piece) => (piece === at ? taken.rest : [piece]));
  return { pieces: inOrder([...others, own]), start: own.start, end: own.end, cuts: taken.cuts, resentBytes: progress.resentBytes + taken.resentBytes };
}

interface Taken {
  readonly rest: readonly Piece[];
  readonly cuts: Continuation['cuts'];
  readonly resentBytes: number;
}

const nothingTaken: Taken = { rest: [], cuts: [], resentBytes: 0 };

/** Takes the bytes that a request wants out of a piece. */
function takeFrom(piece: Piece, asked: AskedBytes, { resentBytes, positionOf }: Progress, beginsAnew: boolean): Taken | Busy | undefined {
  const { start, end, sizeBytes } = asked;
  const before = start > piece.start ? [{ ...piece, end: start, softFrom: Math.min(piece.softFrom, start) }] : [];
  if (piece.claimId !== null) {
    const isSent = start === piece.start || start < (positionOf(piece.claimId) ?? piece.start);
    return isSent ? { busyWith: piece.claimId } : { rest: before, cuts: [{ claimId: piece.claimId, at: start }], resentBytes: 0 };
  }
  const price = priceOf(piece, asked);
  if (beginsAnew || start < piece.softFrom || resentBytes + price > sizeBytes) return undefined;
  // Whoever goes on to the end of the file says with it that all before has arrived.
  if (end === sizeBytes) return { rest: before.map((had) => ({ ...had, softFrom: start })), cuts: [], resentBytes: price };
  const behind = end < piece.end ? [{ ...piece, start: end, softFrom: Math.max(piece.softFrom, end) }] : [];
  return { rest: [...before, ...behind], cuts: [], resentBytes: price };
}

/**
 * What it costs to send bytes of a piece again: so many as are sent. Whoever goes on to the end of the file and has got a good
 * part meanwhile pays for that part alone. Such parts never overlap, so that a line may break as often as it likes.
 */
function priceOf(piece: Piece, { start, end, sizeBytes }: AskedBytes): number {
  const again = Math.min(end, piece.end) - start;
  const progress = start - piece.softFrom;
  return end === sizeBytes && progress >= again * minProgressOfResent ? Math.min(again, progress) : again;
}

/**
 * What is covered when an answer ends before `position`. Also the end of a complete one may be asked for again: that all was
 * handed over does not say that it arrived.
 *
 * @param isComplete whether it sent all that it had announced, which may be nothing
 */
export function endPiece(pieces: readonly Piece[], claimId: string, position: number, isComplete: boolean): Piece[] {
  const ended = pieces.flatMap((piece): Piece[] => {
    if (piece.claimId !== claimId) return [piece];
    if (position <= piece.start && !isComplete) return [];
    return [{ start: piece.start, end: position, softFrom: Math.max(piece.start, position - resendableTailBytes), claimId: null }];
  });
  return joined(inOrder(ended));
}

function inOrder(pieces: readonly Piece[]): Piece[] {
  return pieces.toSorted((one, other) => one.start - other.start);
}

/** What is over and touches becomes one where that forgets no more than the oldest of what may be asked for again, so that a long download stays a short list. */
function joined(pieces: readonly Piece[]): Piece[] {
  return pieces.reduce<Piece[]>((all, piece) => {
    const before = all.at(-1);
    const touches = before && before.claimId === null && piece.claimId === null && before.end === piece.start;
    if (!touches || (before.softFrom < before.end && piece.softFrom > piece.start)) return [...all, piece];
    const softFrom = before.softFrom === before.end ? piece.softFrom : Math.max(before.softFrom, piece.end - resendableTailBytes);
    return [...all.slice(0, -1), { ...piece, start: before.start, softFrom }];
  }, []);
}
