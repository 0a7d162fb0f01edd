import type { Representation } from '#server/http/send-representation.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { beginAnswer, continueAnswer, isCovered, returnUnsent, type CountedAnswer } from '../byte-budget.ts';
import { noteVisit } from '../note-visit.ts';
import type { Share } from '../share.ts';
import { parseRange } from '#server/http/range.ts';
import { asStream, meteredStream } from '#server/http/metered-stream.ts';
import type { Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { refusingSharePage } from './share-refusals.ts';

export interface CountedDeps extends CorePorts {
  /** Called if unsent bytes could not be given back. */
  onFault(error: unknown): void;
}

/** What the form of a page before a file asks for. */
export interface OpeningForm {
  /** The place of one file of a bundle. Undefined for all of them, and for a link to one file. */
  readonly file: string | undefined;
}

/** Returns the `Range` of a visit. That of a form is ignored: only `GET` has ranges. */
export function rangeOf({ asks }: Pick<Call, 'asks'>, form: OpeningForm | undefined): string | undefined {
  return form ? undefined : asks.range;
}

/** Notes a visit of a link, unless it asks for headers alone. The response does not wait. */
export function noteUnlessHead(deps: CountedDeps, share: Share, isDownload: boolean, { asks }: Call): void {
  if (!asks.isHead) noteVisit(deps, share, isDownload).catch(deps.onFault);
}

/** Whether a visit asks for a part behind the first byte. It goes on with a download that was counted. */
export function isFurtherPart(range: string | undefined): boolean {
  return /^bytes=[1-9]/.test(range ?? '');
}

/**
 * Whether a request for a part of a file goes on with a download of its client, so that it spends none. A part behind
 * the end does too: its client has the whole file.
 */
export async function goesOn(
  deps: CountedDeps,
  answer: Pick<CountedAnswer, 'idHash' | 'downloader' | 'content'>,
  sizeBytes: number,
  { asks }: Call,
): Promise<boolean> {
  if (asks.isHead) return false;
  const range = parseRange(asks.range, sizeBytes);
  if (range.kind === 'none') return false;
  return isCovered(deps, answer, range.kind === 'single' ? range.end - range.start + 1 : 0);
}

/**
 * Serves a file whose bytes are charged to the byte budget of a download before they are sent. Unsent bytes are given
 * back. A download is spent, or continued, once the bytes are open and before the first one is sent.
 */
export function countedRepresentation(
  deps: CountedDeps,
  file: Representation,
  answer: CountedAnswer,
  call: Call,
): Representation {
  const stop = new AbortController();
  const opened: Representation['open'] = async (range) => {
    const source = asStream(await file.open(range));
    // An error of the source before it is read must not end the process.
    source.once('error', () => {});
    let leftBytes = range ? range.end - range.start + 1 : file.sizeBytes;
    let taken = await beginAnswer(deps, answer, leftBytes).catch((error: unknown) => {
      source.destroy();
      throw error;
    });
    const stream = meteredStream(source, {
      firstBytes: taken.bytes,
      async takeMore() {
        leftBytes -= taken.bytes;
        if (leftBytes <= 0) throw new Error('More bytes than the file has.');
        taken = await continueAnswer(deps, answer, taken.downloadId, leftBytes).catch((error: unknown) => {
          // A client takes a short response for a whole one, so the connection is closed. That is not a fault.
          if (error instanceof Refusal) stop.abort(error);
          throw error;
        });
        return taken.bytes;
      },
      onClose(unsentBytes, isBegun) {
        if (unsentBytes > 0 || !isBegun)
          returnUnsent(deps, answer, { downloadId: taken.downloadId, bytes: unsentBytes }, isBegun).catch(deps.onFault);
      },
    });
    // A source that waits for bytes would notice a disconnected client only at its next bytes.
    const leave = () => void stream.destroy(call.signal.reason);
    stream.once('error', () => {});
    if (call.signal.aborted) leave();
    else call.signal.addEventListener('abort', leave, { once: true });
    return stream;
  };
  const ends = file.stop ? AbortSignal.any([file.stop, stop.signal]) : stop.signal;
  return { ...file, stop: ends, open: (range) => refusingSharePage(call, () => opened(range)) };
}
