import type { Representation } from '#generated/router.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { LiveClaims } from '#server/domain/shares/live-claims.ts';
import { claimDownload, endClaim, type ClaimDownload } from '#server/domain/shares/spend-download.ts';
import { cutStream } from '#server/http/cut-stream.ts';
import type { Call } from './call.ts';
import { refusingAsPage } from './share-refusals.ts';

export interface CountedDeps {
  readonly metadata: Metadata;
  readonly blobs: Pick<BlobStore, 'open'>;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly live: LiveClaims;
  /** Told when what an answer has sent could not be written down. */
  onFault(error: unknown): void;
}

/**
 * A file whose bytes are counted as downloads of a capped link: one is spent, or gone on with, when the bytes are open and
 * before the first of them is sent; at the end of the answer it is written down how far that came. Without `claim` nothing is
 * counted.
 */
export function countedRepresentation(deps: CountedDeps, file: Representation, claim: Omit<ClaimDownload, 'range'> | undefined, call: Call): Representation {
  const stop = new AbortController();
  const opened: Representation['open'] = async (range) => {
    const source = await file.open(range);
    if (!claim) return source;
    // What breaks before it is read must not take the process with it.
    source.once('error', () => {});
    const claimed = await claimDownload(deps, { ...claim, range }).catch((error: unknown) => {
      source.destroy();
      throw error;
    });
    const lengthBytes = range ? range.end - range.start + 1 : file.sizeBytes;
    const cut = cutStream(source, lengthBytes, stop, (sentBytes, isComplete) => {
      endClaim(deps, { ...claimed, position: claimed.start + sentBytes, isComplete }).catch(deps.onFault);
    });
    // Whoever waits for bytes that do not come would notice it only with the next ones.
    const leave = () => void cut.stream.destroy(call.signal.reason);
    cut.stream.once('error', () => {});
    if (call.signal.aborted) leave();
    else call.signal.addEventListener('abort', leave, { once: true });
    cut.cutAt(claimed.end - claimed.start);
    deps.live.attach(claimed.id, { position: () => claimed.start + cut.sentBytes(), cutAt: (byte) => cut.cutAt(byte - claimed.start) });
    return cut.stream;
  };
  return { ...file, stop: stop.signal, open: (range) => refusingAsPage(call, () => opened(range)) };
}
