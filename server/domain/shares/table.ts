import type { Piece } from './download-pieces.ts';
import type { Share } from './share.ts';

/** Who downloads, as far as the parts of one download are known by it. */
export interface Downloader {
  readonly address: string;
  /** What the client calls itself, cut to what is kept; empty when it does not. */
  readonly userAgent: string;
}

/** One download of a capped link that was spent, with the bytes that it has covered. */
export interface SpentDownload {
  readonly id: string;
  readonly shareId: string;
  readonly downloader: Downloader;
  /** The version of the file: other bytes are another download. */
  readonly contentId: string;
  readonly spentAt: number;
  /** In order of their bytes; none overlap. */
  readonly pieces: readonly Piece[];
  /** What was paid for bytes that were sent again. @see download-pieces.ts */
  readonly resentBytes: number;
}

/** Downloads of one client that it may go on with. */
export interface OpenDownloads {
  readonly shareId: string;
  readonly downloader: Downloader;
  readonly contentId: string;
  /** Only those that were spent after this instant. */
  readonly spentAfter: number;
}

export interface SharesReader {
  /** Revoked, expired and exhausted ones are found too: whoever asks decides what that means. */
  find(shareId: string): Promise<Share | undefined>;
  /**
   * Links that are neither revoked nor expired at `now` and whose file is there, newest first, at most `limit` in all: every
   * active one, and of the newest exhausted ones that fit those that still last, so that the work does not grow with the others.
   */
  listOf(accountId: string, now: number, limit: number): Promise<Share[]>;
  /** Newest first. */
  openDownloads(of: OpenDownloads): Promise<SpentDownload[]>;
}

export interface SharesTable extends SharesReader {
  add(share: Share): Promise<void>;
  /** Links that are neither revoked, expired at `now` nor exhausted, and whose file is there. */
  countActive(accountId: string, now: number): Promise<number>;
  revoke(shareId: string, now: number): Promise<void>;
  /** Takes one download; answers false, and changes nothing, when none is left. */
  spend(shareId: string): Promise<boolean>;
  /** One more is left again; nothing changes once the file has left its address. */
  giveBack(shareId: string): Promise<void>;
  findDownload(downloadId: string): Promise<SpentDownload | undefined>;
  addDownload(download: SpentDownload): Promise<void>;
  /** Puts these in the place of what it has covered. */
  setPieces(downloadId: string, pieces: readonly Piece[], resentBytes: number): Promise<void>;
  removeDownload(downloadId: string): Promise<void>;
  /** Removes up to `limit` that were spent before an instant; answers how many. */
  forgetDownloadsBefore(instant: number, limit: number): Promise<number>;
  /** Removes up to `limit` links, with their downloads, whose time ended before an instant; answers how many. */
  forgetExpiredBefore(instant: number, limit: number): Promise<number>;
}
