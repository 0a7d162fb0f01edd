import { cleanUserAgent } from '#server/domain/activity/record-activity.ts';
import { byteBudgetMs, byteBudgetStepBytes, maxResentBytes } from './limits.ts';
import type { Content } from '#server/domain/contents/table.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Reads, Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { recordShareEnd, recordShareEvent } from '#server/domain/events/share-event.ts';
import { fileOf, opensByForm, shareRefusals, stateOf, type Share } from './share.ts';
import type { Downloader, OpenDownloads } from './table.ts';

interface Deps {
  readonly metadata: Writes<'events' | 'objects' | 'shares'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

interface ReadDeps {
  readonly metadata: Reads<'shares'>;
  readonly clock: Clock;
}

/** A response that sends bytes of a link with a cap. */
export interface CountedAnswer {
  /** The owner of the link. */
  readonly accountId: string;
  /** The stored hash of the link's id. */
  readonly idHash: string;
  readonly downloader: Downloader;
  readonly content: Pick<Content, 'id' | 'sizeBytes'>;
  /** Whether a download that covers the response is used before another one is spent, as for `Range`. */
  readonly isRanged: boolean;
  /** Whether the form of the landing page asks. */
  readonly isForm: boolean;
}

/** Bytes that a response may send, taken from the byte budget of this download. */
interface TakenBytes {
  readonly downloadId: string;
  readonly bytes: number;
}

/** Returns the properties that identify a downloader, from its request. */
export function downloaderOf({
  address,
  userAgent,
}: {
  readonly address: string;
  readonly userAgent: string | null;
}): Downloader {
  return { address, userAgent: cleanUserAgent(userAgent) ?? '' };
}

/** The bytes of a byte budget beyond the size of the file. They replace bytes that a broken connection lost. */
function resentBytes(sizeBytes: number): number {
  return Math.min(sizeBytes, maxResentBytes);
}

/** Returns the bytes that one spent download allows in total. */
export function byteBudgetOf(sizeBytes: number): number {
  return sizeBytes + resentBytes(sizeBytes);
}

/**
 * Selects the downloads whose byte budget covers a response of `lengthBytes`. Either that many bytes are left, or more
 * than the resent bytes. The second rule is for clients with several connections. Each requests all bytes up to the
 * end, and stops midway.
 */
function covering(
  { idHash, downloader, content }: Pick<CountedAnswer, 'idHash' | 'downloader' | 'content'>,
  lengthBytes: number,
  now: number,
): OpenDownloads {
  const leftBytes = Math.min(lengthBytes, resentBytes(content.sizeBytes) + 1);
  return { idHash, downloader, contentId: content.id, openedAfter: now - byteBudgetMs, leftBytes };
}

/** Whether a download covers a response of `lengthBytes`, so that it spends none. */
export async function isCovered(
  { metadata, clock }: ReadDeps,
  answer: Pick<CountedAnswer, 'idHash' | 'downloader' | 'content'>,
  lengthBytes: number,
): Promise<boolean> {
  return (await metadata.read.shares.openDownload(covering(answer, lengthBytes, clock.now()))) !== undefined;
}

/** Whether a downloader has bytes left of a download that was spent, whatever its content. */
export function hasDownload(
  { metadata, clock }: ReadDeps,
  { idHash, downloader }: Pick<CountedAnswer, 'idHash' | 'downloader'>,
): Promise<boolean> {
  return metadata.read.shares.hasOpenDownload(idHash, downloader, clock.now() - byteBudgetMs);
}

/** Selects the downloads that a client may resume at `now`. */
export function resumable(idHash: string, downloader: Downloader, contentId: string, now: number): OpenDownloads {
  return { idHash, downloader, contentId, openedAfter: now - byteBudgetMs, leftBytes: 1 };
}

/**
 * Begins a response of `lengthBytes`: takes its first bytes, up to `atMostBytes`, from a byte budget. A request with
 * `Range` takes them from a download that covers it, if there is one. Otherwise a download is spent, if the link lets
 * this request spend one. Parallel calls never exceed the cap or a byte budget.
 *
 * @throws SHARE_EXHAUSTED, SHARE_EXPIRED, SHARE_NOT_FOUND
 */
export function beginAnswer(
  { metadata, ids }: Deps,
  answer: CountedAnswer,
  lengthBytes: number,
  atMostBytes = byteBudgetStepBytes,
): Promise<TakenBytes> {
  const { accountId, idHash, downloader, content } = answer;
  const bytes = Math.min(lengthBytes, atMostBytes);
  return metadata.atomically(
    async (tx) => {
      const share = await requireOpen(tx, idHash);
      const open = answer.isRanged ? await tx.shares.openDownload(covering(answer, lengthBytes, tx.now)) : undefined;
      const taken = open && (await takeFrom(tx, open.id, bytes));
      if (taken) return taken;
      await spendDownload(tx, share, answer.isForm);
      const downloadId = ids.opaqueId();
      await tx.shares.addDownload({
        id: downloadId,
        idHash,
        downloader,
        contentId: content.id,
        openedAt: tx.now,
        leftBytes: byteBudgetOf(content.sizeBytes) - bytes,
      });
      return { downloadId, bytes };
    },
    { account: accountId },
  );
}

/**
 * Takes the next bytes of a response that still has to send `lengthBytes`. They come from its download. If that has
 * nothing left, this counts as a new request with `Range` and without the form, because one press of the button spends
 * one download.
 *
 * @throws SHARE_EXHAUSTED, SHARE_EXPIRED, SHARE_NOT_FOUND
 */
export async function continueAnswer(
  deps: Deps,
  answer: CountedAnswer,
  downloadId: string,
  lengthBytes: number,
): Promise<TakenBytes> {
  const bytes = Math.min(lengthBytes, byteBudgetStepBytes);
  // Not durable, so that a download does not wait for the disk at each step.
  const account = answer.accountId;
  const taken = await deps.metadata.atomically((tx) => takeFrom(tx, downloadId, bytes), { account, isDurable: false });
  return taken ?? beginAnswer(deps, { ...answer, isRanged: true, isForm: false }, lengthBytes);
}

/** Spends a download of a link. @throws SHARE_EXHAUSTED */
async function spendDownload(tx: Transaction<'events' | 'shares'>, share: Share, isForm: boolean): Promise<void> {
  if (opensByForm(share) && !isForm)
    throw new Refusal('SHARE_EXHAUSTED', {
      message:
        'This download may send no more bytes. Open the link in a browser, and press the button for another one.',
    });
  if (!(await tx.shares.spend(share.idHash))) throw new Refusal('SHARE_EXHAUSTED');
  const left = { ...share, remainingDownloads: (share.remainingDownloads ?? 1) - 1 };
  await recordShareEvent(tx, 'share.visited', left);
  await recordShareEvent(tx, 'share.downloaded', left);
  if (left.remainingDownloads === 0) {
    await recordShareEvent(tx, 'share.spent', left);
    await recordShareEnd(tx, left, 'spent');
  }
}

/** Takes `bytes` from a byte budget, or the fewer that are left. Returns undefined when none are left. */
async function takeFrom(tx: Transaction<'shares'>, downloadId: string, bytes: number): Promise<TakenBytes | undefined> {
  if (await tx.shares.takeBytes(downloadId, bytes, tx.now)) return { downloadId, bytes };
  const left = (await tx.shares.findDownload(downloadId))?.leftBytes ?? 0;
  return left > 0 && (await tx.shares.takeBytes(downloadId, left, tx.now)) ? { downloadId, bytes: left } : undefined;
}

/**
 * Checks again that the link is open, because it may have ended since the request was admitted. An exhausted link still
 * serves the downloads that were spent.
 */
async function requireOpen(tx: Transaction<'objects' | 'shares'>, idHash: string): Promise<Share> {
  const share = await tx.shares.find(idHash);
  const state = share ? stateOf(share, await fileOf(tx.objects, share), tx.now) : 'gone';
  if (!share || (state !== 'active' && state !== 'exhausted'))
    throw new Refusal(shareRefusals[state as 'gone' | 'expired' | 'revoked']);
  return share;
}

/**
 * Returns bytes to the byte budget that were taken and not sent.
 *
 * @param isBegun false when the response ended before its first byte. A download that was used for nothing else then
 *   counts as not spent
 */
export async function returnUnsent(
  { metadata }: Pick<Deps, 'metadata'>,
  { accountId, idHash, content }: CountedAnswer,
  { downloadId, bytes }: TakenBytes,
  isBegun: boolean,
): Promise<void> {
  await metadata.atomically(
    async (tx) => {
      await tx.shares.returnBytes(downloadId, bytes);
      if (!isBegun && (await tx.shares.removeDownload(downloadId, byteBudgetOf(content.sizeBytes))))
        await tx.shares.returnDownload(idHash);
    },
    { account: accountId },
  );
}
