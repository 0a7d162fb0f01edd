import type { EventType } from './event-type.ts';

/** The credential, or the part of the server, that made the change. */
type EventAuth = 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';

/** Names a file that may be gone. */
interface NamedFile {
  readonly object: { readonly id: string };
}

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
  readonly auth: EventAuth;
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

export interface UploadDetails extends NamedFile, Pick<FileOrigin, 'uploadTokenId' | 'callbackMetadata'> {
  readonly auth: EventAuth;
  /** Null if the client has not said it. */
  readonly sizeBytes: number | null;
  readonly parts?: number;
}

/** What an event says about a share link. Its id stays out of it, because it opens the link. */
export interface ShareDetails extends NamedFile {
  readonly share: {
    readonly createdAt: number;
    readonly expiresAt: number;
    readonly maxDownloads: number | null;
    readonly remainingDownloads: number | null;
  };
  readonly reason?: 'revoked' | 'expired' | 'spent' | 'file_deleted' | 'file_moved' | 'file_expired';
  readonly isUndone?: true;
  readonly auth?: EventAuth;
}

/** What an event says about a file request. The secret in its address stays out of it, because it opens the page. */
export interface FileRequestDetails {
  readonly fileRequest: {
    readonly id: string;
    readonly title: string;
    readonly prefix: string;
    readonly state: 'open' | 'closed' | 'expired';
    readonly files: number;
    readonly bytes: number;
    readonly senders: number;
    readonly maxFiles: number | null;
    readonly maxBytes: number | null;
    readonly deadlineAt: number | null;
  };
  /** The file that has arrived. */
  readonly object?: { readonly id: string; readonly sizeBytes: number; readonly sha256: string | null };
  readonly sender?: { readonly name: string | null; readonly folder: string | null };
  /** The path of the file in the form. */
  readonly name?: string;
  readonly reason?: 'closed' | 'expired' | 'deleted';
  readonly auth?: EventAuth;
}

interface UsedUpTokenDetails {
  readonly uploadToken: {
    readonly id: string;
    readonly keyId: string;
    readonly maxUses: number;
    readonly expiresAt: number;
  };
}

interface QuotaDetails {
  readonly percent: 80 | 95 | 100;
  readonly usedBytes: number;
  readonly quotaBytes: number;
}

interface BudgetDetails {
  readonly percent: 80 | 100;
  readonly budget: 'daily_tokens' | 'weekly_tokens' | 'daily_spend' | 'daily_cost';
  readonly limit: number;
  readonly used: number;
  readonly startsAt: number;
  readonly resetsAt: number;
}

interface KeyDetails {
  readonly key: { readonly id: string; readonly name: string };
  readonly auth: EventAuth;
  readonly isRegenerated?: true;
}

interface DeployDetails {
  readonly deploy: {
    readonly id: string;
    readonly appId: string;
    readonly state: 'pending' | 'running' | 'success' | 'error' | 'superseded' | 'cancelled';
    readonly branch: string;
    readonly commit: string;
    readonly message: string | null;
    readonly tries: number;
  };
}

interface PushDetails {
  readonly push: {
    readonly appId: string;
    readonly branch: string;
    readonly commit: string;
    readonly message: string | null;
    readonly reason: 'branch' | 'paths';
  };
}

/** What events say, by what they are about: the first part of their type. Instants are milliseconds since the epoch. */
interface DetailsBySubject {
  readonly object: FileDetails;
  readonly upload: UploadDetails;
  readonly share: ShareDetails;
  readonly file_request: FileRequestDetails;
  readonly upload_token: UsedUpTokenDetails;
  readonly quota: QuotaDetails;
  readonly ai: BudgetDetails;
  readonly key: KeyDetails;
  readonly deploy: DeployDetails;
  readonly webhook: { readonly webhook: string };
}

/** What an event of a type says. The handlers make its wire form. */
export type EventDetails<Type extends EventType> = Type extends 'deploy.filtered'
  ? PushDetails
  : Type extends `${infer Subject extends keyof DetailsBySubject}.${string}`
    ? DetailsBySubject[Subject]
    : never;
