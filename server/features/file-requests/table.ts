import type { Prefix } from '#server/domain/prefixes.ts';
import type { AnnouncedUpload, Announcement } from './announced-upload.ts';
import type { FileRequest, FileRequestState } from './file-request.ts';
import type { RefusedFile, Sender, SentFile } from './sender.ts';

/** A place in the list of requests, which is newest first. */
export type FileRequestPlace = Pick<FileRequest, 'createdAt' | 'id'>;

/** Filters of the list. */
export interface FileRequestFilter {
  readonly accountId: string;
  readonly id: string | undefined;
  readonly state: FileRequestState | undefined;
  /** Only folders that begin with this. */
  readonly prefix: string;
  /** Only folders at or below one of these. Null for all. */
  readonly within: readonly Prefix[] | null;
  readonly behind: FileRequestPlace | undefined;
}

/** Space that an upload under way has reserved. */
export interface ReservedSpace {
  readonly files: number;
  readonly bytes: number;
}

interface SendersReader {
  findSender(requestId: string, senderHash: string): Promise<Sender | undefined>;
  /** Returns the newest files of a sender, oldest first. */
  filesOf(requestId: string, senderHash: string, limit: number): Promise<SentFile[]>;
}

/** The senders of file requests, and what these have sent. */
export interface SendersTable extends SendersReader {
  /** Whether a sender of the request has this folder, in any case of its letters. */
  hasFolder(requestId: string, folder: string): Promise<boolean>;
  addSender(sender: Sender): Promise<void>;
  /** Writes the name and the folder of a sender that had none. */
  nameSender(sender: Sender): Promise<void>;
  /** Replaces the files of the last form that were not stored. */
  noteRefused(requestId: string, senderHash: string, refused: readonly RefusedFile[]): Promise<void>;
  addFile(file: SentFile): Promise<void>;
}

interface AnnouncedUploadsReader {
  /** Finds an upload to a request, in any state. */
  findUpload(uploadId: string): Promise<AnnouncedUpload | undefined>;
  /**
   * Returns what forms under way, and open uploads that were active after `activeAfter`, have reserved of each request.
   * Requests of which nothing is reserved are left out.
   */
  underWayOf(requestIds: readonly string[], activeAfter: number): Promise<ReadonlyMap<string, ReservedSpace>>;
}

/** Uploads that are sent to requests in several steps. Each reserves what it has announced, as long as it is open. */
export interface AnnouncedUploadsTable extends AnnouncedUploadsReader {
  /** Adds what a request keeps of an upload that was just opened. */
  announce(uploadId: string, announcement: Announcement): Promise<void>;
  /** Returns the open uploads to a request, idle ones too until the job closes them. */
  openUploads(requestId: string): Promise<AnnouncedUpload[]>;
  /**
   * Returns the sum of what open uploads have announced that were active after `activeAfter`. Their rows reserve it, so
   * it is freed when they are closed.
   *
   * @param except an upload that does not count
   */
  announcedOf(requestId: string, activeAfter: number, except?: string): Promise<ReservedSpace>;
  /** Lets an upload reserve space again while it is active. */
  holdPlace(uploadId: string): Promise<void>;
  /** Frees the space of open uploads to a request. They may reserve some again when they go on. */
  freePlaces(requestId: string, at: number): Promise<void>;
}

/** The space that forms under way have reserved. */
export interface ReservedSpaceTable {
  /** Returns the sum of what forms under way have reserved. */
  reservedOf(requestId: string): Promise<ReservedSpace>;
  /** Adds a reservation of this process. */
  reserve(reservationId: string, requestId: string, space: ReservedSpace): Promise<void>;
  /** Adds bytes to a reservation. Returns false if it was given back meanwhile. */
  reserveMore(reservationId: string, bytes: number): Promise<boolean>;
  /** Removes a reservation. Returns false if it was given back meanwhile. */
  release(reservationId: string): Promise<boolean>;
  /** Removes the reservations of all forms that send to a request. */
  releaseOf(requestId: string): Promise<void>;
  /** Removes the reservations of a process that has ended, or of all. Returns how many. */
  releaseAll(owner?: string): Promise<number>;
}

interface FileRequestsReader extends SendersReader, AnnouncedUploadsReader {
  /** Finds a request that is not deleted. */
  find(requestId: string): Promise<FileRequest | undefined>;
  /** Finds a request that is not deleted by the keyed hash of the secret in its address. */
  findByLink(linkHash: string): Promise<FileRequest | undefined>;
  /** Returns requests that are not deleted, newest first. */
  listOf(filter: FileRequestFilter, now: number, limit: number): Promise<FileRequest[]>;
  /** Returns requests by their ids, also deleted ones. */
  listAfter(requestId: string, limit: number): Promise<Array<Pick<FileRequest, 'id' | 'sealedLink'>>>;
  /** Returns requests whose deadline has passed at `now` and whose end is not noted, oldest deadline first. */
  expired(now: number, limit: number): Promise<FileRequest[]>;
}

export interface FileRequestsTable extends FileRequestsReader, SendersTable, AnnouncedUploadsTable, ReservedSpaceTable {
  add(request: FileRequest): Promise<void>;
  /** Counts the requests of an account that are not deleted. */
  countOf(accountId: string): Promise<number>;
  /** Writes what an owner may change. */
  change(request: FileRequest): Promise<void>;
  renewLink(requestId: string, renewed: Pick<FileRequest, 'linkHash' | 'sealedLink'>): Promise<void>;
  /** Notes whether the end of a request was told. Returns false if that was noted before. */
  noteEnd(requestId: string, isTold: boolean): Promise<boolean>;
  /** Makes a request invisible. */
  delete(requestId: string, now: number): Promise<void>;

  /** Counts a file that has arrived. */
  count(requestId: string, added: { readonly bytes: number; readonly senders: number }): Promise<void>;
  /** Removes up to `limit` rows of requests that were deleted, the requests last. Returns how many. */
  forgetDeleted(limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly fileRequests: FileRequestsReader;
  }
  interface Tables {
    readonly fileRequests: FileRequestsTable;
  }
}
