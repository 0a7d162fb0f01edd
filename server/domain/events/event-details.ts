import type { ActivityAuth } from '../activity/activity.ts';
import type { EventType } from './event-type.ts';

/** What an event says about a file that is, or was, stored. */
export interface FileDetails {
  readonly object: {
    readonly id: string;
    readonly sizeBytes: number;
    readonly etag: string;
    readonly sha256: string | null;
    readonly contentType: string;
    readonly isPrivate: boolean;
    readonly createdAt: number;
    readonly expiresAt: number | null;
    readonly originalName: string | null;
    readonly metadata: Readonly<Record<string, string>>;
  };
  readonly auth: ActivityAuth;
  /** The id before a move or a change of it. */
  readonly from?: string;
  /** The id of the file that it is a copy of. */
  readonly source?: string;
  readonly isReplaced?: boolean;
  /** The fields that an update has changed, by the names that clients use. */
  readonly changed?: readonly string[];
  readonly isUndone?: true;
  /** Present if it was uploaded with a token, or sent to a file request. */
  readonly uploadTokenId?: string;
  readonly callbackMetadata?: Readonly<Record<string, string>>;
  readonly fileRequestId?: string;
}

/** How a file came: the details of its event that say more than the file. */
export type FileOrigin = Pick<FileDetails, 'uploadTokenId' | 'callbackMetadata' | 'fileRequestId'>;

/** What an event says about a share link. Its id stays out of it, because it opens the link. */
export interface ShareDetails {
  /** It may be gone. */
  readonly object: { readonly id: string };
  readonly share: {
    readonly createdAt: number;
    readonly expiresAt: number;
    readonly maxDownloads: number | null;
    readonly remainingDownloads: number | null;
  };
  readonly reason?: 'revoked' | 'expired' | 'spent' | 'file_deleted' | 'file_moved' | 'file_expired';
  readonly isUndone?: true;
  readonly auth?: ActivityAuth;
}

interface QuotaDetails {
  readonly percent: 80 | 95 | 100;
  readonly usedBytes: number;
  readonly quotaBytes: number;
}

interface KeyDetails {
  readonly key: { readonly id: string; readonly name: string };
  readonly auth: ActivityAuth;
  readonly isRegenerated?: true;
}

/**
 * What events say, by the first part of their type, or by a type that says something else. Each feature adds what only
 * its own events say. Instants are milliseconds since the epoch.
 */
export interface DetailsBySubject {
  readonly object: FileDetails;
  readonly share: ShareDetails;
  readonly quota: QuotaDetails;
  readonly key: KeyDetails;
}

/** What an event of a type says. The handlers make its wire form. */
export type EventDetails<Type extends EventType> = Type extends keyof DetailsBySubject
  ? DetailsBySubject[Type]
  : Type extends `${infer Subject extends keyof DetailsBySubject}.${string}`
    ? DetailsBySubject[Subject]
    : never;
