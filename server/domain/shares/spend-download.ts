import { cleanUserAgent } from '../activity/record-activity.ts';
import { downloadResumableMs } from '../limits.ts';
import type { Content } from '../objects/contents-table.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { continueDownload, endPiece, type AskedBytes, type Busy } from './download-pieces.ts';
import type { LiveClaims } from './live-claims.ts';
import { shareRefusals, stateOf } from './share.ts';
import type { Downloader, OpenDownloads, SpentDownload } from './table.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly live: LiveClaims;
}

export interface ClaimDownload {
  readonly shareId: string;
  readonly downloader: Downloader;
  readonly content: Pick<Content, 'id' | 'sizeBytes'>;
  /** Both ends included; undefined asks for all. */
  readonly range: { readonly start: number; readonly end: number } | undefined;
}

/** The bytes that one answer may send: from `start` up to, and without, `end`. */
export interface DownloadClaim {
  readonly id: string;
  readonly downloadId: string;
  readonly start: number;
  readonly end: number;
}

type Outcome = DownloadClaim & { readonly cuts: ReadonlyArray<{ readonly claimId: string; readonly at: number }> };

/** So long a client that comes back is waited for, until its lost connection is noticed. */
const patienceMs = 1000;

/** Who downloads, from what its request says. */
export function downloaderOf({ address, userAgent }: { readonly address: string; readonly userAgent: string | null }): Downloader {
  return { address, userAgent: cleanUserAgent(userAgent) ?? '' };
}

/** The downloads of a client that are still to be resumed at `now`. */
export function resumable(shareId: string, downloader: Downloader, contentId: string, now: number): OpenDownloads {
  return { shareId, downloader, contentId, spentAfter: now - downloadResumableMs };
}

/**
 * Lets one answer send bytes of a capped link: as part of a download that was spent, or by spending one. To be called when the
 * bytes are open and before the first is sent; `endClaim` tells later how far it came. Parallel calls never pass the cap.
 *
 * @throws SHARE_EXHAUSTED, SHARE_EXPIRED, SHARE_NOT_FOUND
 */
export async function claimDownload(deps: Deps, asked: ClaimDownload): Promise<DownloadClaim> {
  const { ids, live } = deps;
  const id = ids.opaqueId();
  // Before it is written: whoever meets it there may cut it at once.
  live.begin(id, asked.range?.start ?? 0);
  try {
    let outcome = await tryClaim(deps, id, asked, true);
    if ('busyWith' in outcome) {
      await live.ended(outcome.busyWith, patienceMs);
      outcome = await tryClaim(deps, id, asked, false);
    }
    if ('busyWith' in outcome) throw new Error('A claim that may not wait has waited.');
    for (const { claimId, at } of outcome.cuts) live.cutAt(claimId, at);
    return outcome;
  } catch (error) {
    live.remove(id);
    throw error;
  }
}

function tryClaim({ metadata, ids, live }: Deps, id: string, claim: ClaimDownload, mayWait: boolean): Promise<Outcome | Busy> {
  const { shareId, downloader, content } = claim;
  const asked = askedBytes(claim);
  return metadata.atomically(async (tx) => {
    await requireOpen(tx, shareId);
    let busy: Busy | undefined;
    for (const download of await tx.shares.openDownloads(resumable(shareId, downloader, content.id, tx.now))) {
      const { resentBytes } = download;
      const next = continueDownload(download.pieces, asked, id, { resentBytes, positionOf: live.positionOf });
      if (next && 'pieces' in next) {
        await tx.shares.setPieces(download.id, next.pieces, next.resentBytes);
        return { id, downloadId: download.id, start: next.start, end: next.end, cuts: next.cuts };
      }
      busy ??= next;
    }
    if (busy && mayWait) return busy;
    if (!(await tx.shares.spend(shareId))) throw new Refusal('SHARE_EXHAUSTED');
    const { start, end } = asked;
    const pieces = [{ start, end, softFrom: start, claimId: id }];
    const download: SpentDownload = { id: ids.opaqueId(), shareId, downloader, contentId: content.id, spentAt: tx.now, pieces, resentBytes: 0 };
    await tx.shares.addDownload(download);
    return { id, downloadId: download.id, start, end, cuts: [] };
  });
}

function askedBytes({ content: { sizeBytes }, range }: ClaimDownload): AskedBytes {
  return range ? { start: range.start, end: range.end + 1, isWhole: false, sizeBytes } : { start: 0, end: sizeBytes, isWhole: true, sizeBytes };
}

/** What was let in a moment before its link ended must spend nothing behind that end. An exhausted link goes on with what it has spent. */
async function requireOpen(tx: Transaction, shareId: string): Promise<void> {
  const share = await tx.shares.find(shareId);
  const state = share ? stateOf(share, await tx.objects.find(share.object), tx.now) : 'gone';
  if (state !== 'active' && state !== 'exhausted') throw new Refusal(shareRefusals[state]);
}

/** How far an answer came. */
export interface EndedClaim extends DownloadClaim {
  /** The byte behind the last one that was sent. */
  readonly position: number;
  /** Whether it sent all that it had announced. */
  readonly isComplete: boolean;
}

/** Writes down what an answer has sent. A download of which not one byte was is given back. */
export async function endClaim({ metadata, live }: Pick<Deps, 'metadata' | 'live'>, { id, downloadId, position, isComplete }: EndedClaim): Promise<void> {
  try {
    await metadata.atomically(async (tx) => {
      const download = await tx.shares.findDownload(downloadId);
      if (!download) return;
      const pieces = endPiece(download.pieces, id, position, isComplete);
      if (pieces.length > 0) return tx.shares.setPieces(downloadId, pieces, download.resentBytes);
      await tx.shares.removeDownload(downloadId);
      await tx.shares.giveBack(download.shareId);
    });
  } finally {
    live.remove(id);
  }
}

/**
 * Spends a download for a redirect, behind which nobody sees what is fetched: a later range by the same client counts as part
 * of what it has spent.
 *
 * @throws SHARE_EXHAUSTED, SHARE_EXPIRED, SHARE_NOT_FOUND
 */
export async function spendRedirect({ metadata, ids }: Pick<Deps, 'metadata' | 'ids'>, { shareId, downloader, content, isResumed }: Omit<ClaimDownload, 'range'> & { readonly isResumed: boolean }): Promise<void> {
  await metadata.atomically(async (tx) => {
    await requireOpen(tx, shareId);
    if (isResumed && (await tx.shares.openDownloads(resumable(shareId, downloader, content.id, tx.now))).length > 0) return;
    if (!(await tx.shares.spend(shareId))) throw new Refusal('SHARE_EXHAUSTED');
    const pieces = [{ start: 0, end: content.sizeBytes, softFrom: content.sizeBytes, claimId: null }];
    await tx.shares.addDownload({ id: ids.opaqueId(), shareId, downloader, contentId: content.id, spentAt: tx.now, pieces, resentBytes: 0 });
  });
}
