import type { SessionsReader, SessionsTable } from '../access/sessions-table.ts';
import type { ApiKeysReader, ApiKeysTable } from '../access/table.ts';
import type { AppsReader, AppsTable } from '../apps/table.ts';
import type { ActivityReader, ActivityTable } from '../activity/table.ts';
import type { AccountsReader, AccountsTable } from '../account/table.ts';
import type { ChatReader, ChatTable } from '../chat/table.ts';
import type { ChunkedUploadsReader, ChunkedUploadsTable } from '../chunked/table.ts';
import type {
  DeploysReader,
  DeploysTable,
  GitDeliveriesTable,
  GitWebhooksReader,
  GitWebhooksTable,
} from '../deploys/table.ts';
import type { DeviceRequestsTable } from '../devices/table.ts';
import type { ClockJumpReader, ClockJumpTable } from '../jobs/table.ts';
import type { EdgeErrorsReader, EdgeErrorsTable, EdgeLogsReader, EdgeLogsTable } from '../edge-errors/table.ts';
import type { LimitWindowsTable } from '../limits/table.ts';
import type { ContentsReader, ContentsTable } from '../objects/contents-table.ts';
import type { LegacyImportsReader, LegacyImportsTable } from '../objects/legacy-imports-table.ts';
import type { ReservationsTable } from '../objects/reservations-table.ts';
import type { ObjectsReader, ObjectsTable } from '../objects/table.ts';
import type { RulesReader, RulesTable } from '../rules/table.ts';
import type { SharesReader, SharesTable } from '../shares/table.ts';
import type { UploadTokensReader, UploadTokensTable } from '../upload-tokens/table.ts';

/** What can be read outside a transaction; each call sees the last committed state. */
export interface Readers {
  readonly accounts: AccountsReader;
  readonly activity: ActivityReader;
  readonly apiKeys: ApiKeysReader;
  readonly apps: AppsReader;
  readonly objects: ObjectsReader;
  readonly contents: ContentsReader;
  readonly legacyImports: LegacyImportsReader;
  readonly rules: RulesReader;
  readonly clockJump: ClockJumpReader;
  readonly uploadTokens: UploadTokensReader;
  readonly chunkedUploads: ChunkedUploadsReader;
  readonly sessions: SessionsReader;
  readonly shares: SharesReader;
  readonly chat: ChatReader;
  readonly edgeErrors: EdgeErrorsReader;
  readonly edgeLogs: EdgeLogsReader;
  readonly gitWebhooks: GitWebhooksReader;
  readonly deploys: DeploysReader;
}

/** What a transaction can read and write. */
export interface Transaction {
  readonly accounts: AccountsTable;
  readonly activity: ActivityTable;
  readonly apiKeys: ApiKeysTable;
  readonly apps: AppsTable;
  readonly objects: ObjectsTable;
  readonly contents: ContentsTable;
  readonly legacyImports: LegacyImportsTable;
  readonly reservations: ReservationsTable;
  readonly limitWindows: LimitWindowsTable;
  readonly rules: RulesTable;
  readonly clockJump: ClockJumpTable;
  readonly uploadTokens: UploadTokensTable;
  readonly chunkedUploads: ChunkedUploadsTable;
  readonly sessions: SessionsTable;
  readonly deviceRequests: DeviceRequestsTable;
  readonly shares: SharesTable;
  readonly chat: ChatTable;
  readonly edgeErrors: EdgeErrorsTable;
  readonly edgeLogs: EdgeLogsTable;
  readonly gitWebhooks: GitWebhooksTable;
  readonly deploys: DeploysTable;
  readonly gitDeliveries: GitDeliveriesTable;
  /** Milliseconds since the epoch, fixed when the transaction began. */
  readonly now: number;
  /**
   * Calls `callback` as soon as the writes are committed, before anybody can read them, so that what is kept in memory
   * beside the rows changes with them. Never when they are undone. It must be quick and throw nothing.
   */
  afterCommit(callback: () => void): void;
}

/** How a transaction is kept. */
export interface AtomicOptions {
  /** `false` for what need not survive a power cut, such as when a key was last used: it is answered sooner. */
  readonly isLasting?: boolean;
  /** `true` where whoever asks tells the CDN of the files that the transaction hides, and waits for it. */
  readonly isCdnTold?: boolean;
}

/** Everything that is a row. */
export interface Metadata {
  readonly read: Readers;
  /**
   * Runs `work` alone and resolves once its writes would survive a power cut. When `work` throws, nothing of it is kept.
   * Inside `work`, await only the transaction's own calls: no bytes, no network, no timers. Nesting is a fault.
   */
  atomically<T>(work: (tx: Transaction) => Promise<T>, options?: AtomicOptions): Promise<T>;
}

/** The metadata store cannot do its work at the moment; the request may be tried again. */
export class MetadataUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'MetadataUnavailable';
  }
}

/** The disk of the metadata store has no room for what was to be written, not even what is kept for that. */
export class MetadataFull extends MetadataUnavailable {
  constructor(cause: unknown) {
    super('The disk of the database is full.', cause);
    this.name = 'MetadataFull';
  }
}
