import type { Share } from './share.ts';

/** Who downloads, as far as the parts of one download are known by it. */
export interface Downloader {
  readonly address: string;
  /** What the client calls itself, cut to what is kept; empty when it does not. */
  readonly userAgent: string;
}

/** One download of a capped link that was spent. */
export interface SpentDownload {
  readonly id: string;
  /** The link's. */
  readonly idHash: string;
  readonly downloader: Downloader;
  /** The version of the file: other bytes are another download. */
  readonly contentId: string;
  readonly openedAt: number;
  /** What is left of its allowance. @see allowance.ts */
  readonly leftBytes: number;
}

/** The downloads that a request may go on with. */
export interface OpenDownloads {
  readonly idHash: string;
  readonly downloader: Downloader;
  readonly contentId: string;
  /** Only those that were opened after this instant. */
  readonly openedAfter: number;
  /** Only those that have so much left. */
  readonly leftBytes: number;
}

/** A link in a list. */
export interface ListedShare extends Share {
  /** When its file expires; null when that does not. */
  readonly fileExpiresAt: number | null;
}

export interface SharesReader {
  /** Revoked, expired and exhausted ones are found too: whoever asks decides what that means. */
  find(idHash: string): Promise<Share | undefined>;
  /**
   * Links that are neither revoked nor expired at `now` and whose file is there, newest first, at most `limit` in all:
   * every active one, and of the newest exhausted ones that fit those that still last, so that the work does not grow
   * with the others.
   */
  listOf(accountId: string, now: number, limit: number): Promise<ListedShare[]>;
  /** The newest of them. */
  openDownload(of: OpenDownloads): Promise<SpentDownload | undefined>;
}

export interface SharesTable extends SharesReader {
  add(share: Share): Promise<void>;
  /** Links that are neither revoked, expired at `now` nor exhausted, and whose file is there. */
  countActive(accountId: string, now: number): Promise<number>;
  revoke(idHash: string, now: number): Promise<void>;
  /** Takes one download; answers false, and changes nothing, when none is left. */
  spend(idHash: string): Promise<boolean>;
  /** One more is left again; nothing changes once the file has left its address. */
  giveBack(idHash: string): Promise<void>;
  findDownload(downloadId: string): Promise<SpentDownload | undefined>;
  addDownload(download: SpentDownload): Promise<void>;
  /** Takes bytes out of what is left; returns false, and changes nothing, when less is left. */
  takeBytes(downloadId: string, bytes: number, now: number): Promise<boolean>;
  /** Puts bytes back that were taken and not sent. */
  returnBytes(downloadId: string, bytes: number): Promise<void>;
  /** Removes a download that has so much left; returns false, and changes nothing, when it has another amount. */
  removeDownload(downloadId: string, leftBytes: number): Promise<boolean>;
  /** Removes up to `limit` of which nothing was taken since an instant; returns how many. */
  forgetDownloadsBefore(instant: number, limit: number): Promise<number>;
  /** Removes up to `limit` links, with their downloads, whose time ended before an instant; answers how many. */
  forgetExpiredBefore(instant: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly shares: SharesReader;
  }
  interface Tables {
    readonly shares: SharesTable;
  }
}
