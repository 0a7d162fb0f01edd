import type { Share } from './share.ts';

/** The stored form of the id of a link. It opens no link without the master key. */
export type StoredShareId = Pick<Share, 'idHash' | 'sealedId'>;

/** The properties that identify the requests of one download. */
export interface Downloader {
  readonly address: string;
  /** The client's `User-Agent`, cut to a limit. Empty without one. */
  readonly userAgent: string;
}

/** A download that was spent, of a link with a cap. */
export interface SpentDownload {
  readonly id: string;
  /** The stored hash of the link's id. */
  readonly idHash: string;
  readonly downloader: Downloader;
  /** The version of the file. Other bytes are another download. */
  readonly contentId: string;
  readonly openedAt: number;
  /** The bytes that are left of its byte budget. @see byte-budget.ts */
  readonly leftBytes: number;
}

/** The downloads that a request may resume. */
export interface OpenDownloads {
  readonly idHash: string;
  readonly downloader: Downloader;
  readonly contentId: string;
  /** Only those that were opened after this instant. */
  readonly openedAfter: number;
  /** Only those that have at least this many bytes left. */
  readonly leftBytes: number;
}

/** A link in a list. */
export interface ListedShare extends Share {
  /** Null when its file does not expire. */
  readonly fileExpiresAt: number | null;
  /** Null when its file has no name but its key. */
  readonly fileName: string | null;
}

/** A place in the order in which links expire. */
export type ExpiryCursor = Pick<Share, 'expiresAt' | 'idHash'>;

/** A link whose time is over. */
export interface ExpiredShare extends Share {
  /** Whether it has lost its file, or its end was noted. */
  readonly hasEnded: boolean;
}

interface DownloadsReader {
  /** Returns the newest of these downloads. */
  openDownload(of: OpenDownloads): Promise<SpentDownload | undefined>;
  /** Whether a downloader has bytes left of a download that was opened after this instant, whatever its content. */
  hasOpenDownload(idHash: string, downloader: Downloader, openedAfter: number): Promise<boolean>;
}

/** The downloads that were spent on links. */
export interface DownloadsTable extends DownloadsReader {
  findDownload(downloadId: string): Promise<SpentDownload | undefined>;
  addDownload(download: SpentDownload): Promise<void>;
  /** Takes bytes from a byte budget. Returns false, and changes nothing, when fewer are left. */
  takeBytes(downloadId: string, bytes: number, now: number): Promise<boolean>;
  /** Gives bytes back that were taken and not sent. */
  returnBytes(downloadId: string, bytes: number): Promise<void>;
  /** Removes a download that has exactly `leftBytes`. Returns false, and changes nothing, when it has not. */
  removeDownload(downloadId: string, leftBytes: number): Promise<boolean>;
  /** Removes up to `limit` downloads of which nothing was taken since `instant`. Returns how many. */
  forgetDownloadsBefore(instant: number, limit: number): Promise<number>;
}

interface SharesReader extends DownloadsReader {
  /** Finds a link in any state, by the hash of its id under the master key of its time or under the current one. */
  find(idHash: string): Promise<Share | undefined>;
  /**
   * Returns links that are neither revoked nor expired at `now` and whose file exists, newest first. These are all
   * active ones, and the newest exhausted ones that fit into `limit`. The work does not grow with the other exhausted
   * links.
   */
  listOf(accountId: string, now: number, limit: number): Promise<ListedShare[]>;
  /** Returns links by the hash that names their rows. */
  listAfter(idHash: string, limit: number): Promise<StoredShareId[]>;
  /** Returns links that have expired by `now` and are behind another one, in the order in which they expired. */
  expired(behind: ExpiryCursor, now: number, limit: number): Promise<ExpiredShare[]>;
}

export interface SharesTable extends SharesReader, DownloadsTable {
  add(share: Share): Promise<void>;
  /** Counts links that are neither revoked, expired at `now` nor exhausted, and whose file exists. */
  countActive(accountId: string, now: number): Promise<number>;
  /** Lets a link be found by another hash of its id. @param sealedId the id, encrypted under the same master key */
  renewId(idHash: string, renewed: { readonly foundBy: string; readonly sealedId: string }): Promise<void>;
  revoke(idHash: string, now: number): Promise<void>;
  /** Notes that a link has expired. Returns false, and changes nothing, if its end was noted before. */
  noteExpired(idHash: string): Promise<boolean>;
  /** Writes what an owner may change: end, cap, password, page and texts. */
  change(share: Share): Promise<void>;
  /** Counts a download of a link without a cap. */
  countDownload(idHash: string): Promise<void>;
  /** Takes one download. Returns false, and changes nothing, when none is left. */
  spend(idHash: string): Promise<boolean>;
  /** Gives one download back. Changes nothing when the file is no longer at its address. */
  returnDownload(idHash: string): Promise<void>;
  /** Removes up to `limit` links that expired before `instant`, with their downloads. Returns how many. */
  forgetExpiredBefore(instant: number, limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly shares: SharesReader;
  }
  interface Tables {
    readonly shares: SharesTable;
  }
}
