import type { Caller } from '#server/domain/access/caller.ts';
import { grantsAny } from '#server/domain/access/scope.ts';
import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import type { IncomingBytes } from '#server/domain/incoming-bytes.ts';
import type { OperatorCaller } from '#server/domain/operator/operator-key.ts';
import type { IncomingFile } from '#server/domain/incoming-file.ts';
import type { WriteConditions } from '#server/domain/write-conditions.ts';
import type { FormSource } from '#server/http/same-origin.ts';
import type { BodyChecksum } from '#server/domain/checksums/body-checksum.ts';
import type { RequestReferences } from './request-references.ts';

/** A part of a form, while it is being received. */
export interface IncomingPart {
  readonly name: string | undefined;
  readonly isFile: boolean;
  /** As sent, with its folders. Undefined for a file input in which nothing was chosen. */
  readonly filename: string | undefined;
  /** @throws INVALID_FILE, INVALID_CONTENT_TYPE */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A body that the operation reads as it arrives, with its headers. */
export interface IncomingRaw {
  /** Whether its Content-Type is that of a form. */
  readonly isForm: boolean;
  /** A request header, by its name in any case. */
  header(name: string): string | undefined;
  /**
   * Yields the body as it arrives. A piece is valid until the next one.
   *
   * @throws BODY_TOO_LARGE, and the contract's code for a broken body
   */
  bytes(): AsyncIterable<Uint8Array>;
}

/** The headers of a protocol whose uploads come as serial bytes. */
export interface UploadHeaders {
  readonly protocol: 'tus' | 'draft';
  /** Without parameters, in lower case. */
  readonly contentType: string | undefined;
  /** The Content-Type of bytes to append. */
  readonly bodyType: string;
  readonly offsetBytes: number | undefined;
  readonly lengthBytes: number | undefined;
  readonly isLengthDeferred: boolean;
  /** Whether the file ends with this request. Only in the draft. */
  readonly isComplete: boolean | undefined;
  readonly checksum: BodyChecksum | undefined;
  /** A partial upload, or the uploads whose bytes this one gets. */
  readonly concat: 'partial' | { readonly madeOf: string; readonly handles: readonly string[] } | undefined;
  readonly metadata: string | undefined;
}

/** What is left of a limit that the operation counts itself. */
interface AnnouncedBudget {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** Fields that a handler adds to the log line of its request: counts and times, never contents. */
export interface CallNotes {
  /** The listed name of the model that a request of the AI gateway gets. */
  readonly model?: string;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  /** In the currency of the file of models. */
  readonly cost?: number;
  /** How often the model was called. */
  readonly model_rounds?: number;
  /** How long all calls of the model took. */
  readonly model_ms?: number;
  readonly searches?: number;
  /** From the beginning of the request to the first piece of a stream. */
  readonly first_token_ms?: number;
  /** How often servers were called, if it was more than once. */
  readonly upstream_attempts?: number;
  /** What the cache of answers did. */
  readonly cache?: 'hit' | 'miss' | 'bypass';
  /** Whether the model's server sent no counts of its own. */
  readonly usage_estimated?: boolean;
  /** Why the model returned nothing. */
  readonly reason?: string;
}

/** The address and the program that a request comes from. Not its `Origin` header, which is a page's. */
export interface Client {
  readonly address: string;
  /** As it was sent; null without one. */
  readonly userAgent: string | null;
}

/**
 * The request beside its validated input. A handler that reads a part that its operation does not declare has a bug.
 */
export interface Call {
  /** Declared by operations with credentials of an account. */
  readonly caller: Caller;
  /** Declared by the operations of the operator's door. */
  readonly operator: OperatorCaller;
  /** The files and uploads that the request names. Declared by operations with credentials. */
  readonly references: Pick<RequestReferences, 'object' | 'upload'>;
  readonly client: Client;
  /** The headers of browsers, for pages. */
  readonly browser: FormSource & {
    readonly cookies: ReadonlyMap<string, string>;
    readonly asksForHtml: boolean;
    readonly acceptLanguage: string | undefined;
  };
  /** The part of a file that is requested, and its form. */
  readonly asks: { readonly isHead: boolean; readonly range: string | undefined; readonly accept: string | undefined };
  /** Whether a stream of events is requested, and the last event that the client has seen. */
  readonly eventStream: { readonly isRequested: boolean; readonly lastEventId: string | undefined };
  /** The one file of a multipart operation. */
  readonly file: IncomingFile;
  /** The parts of a form that the operation reads itself. @throws INVALID_FILE, INVALID_CONTENT_TYPE */
  readonly parts: AsyncGenerator<IncomingPart>;
  /** Reads `If-Match` and `If-None-Match` of a write. @throws INVALID_CONDITION */
  readConditions(): WriteConditions;
  /** Reads the headers of an upload protocol. @throws UNSUPPORTED_TUS_VERSION, INVALID_UPLOAD_HEADER */
  readUploadHeaders(): UploadHeaders;
  /** Reads the headers of the IETF draft, also beside those of tus. Values that are not allowed count as missing. */
  readDraftHeaders(): UploadHeaders;
  /** Sends an interim response about an upload, to a client that understands it. */
  sendResumption(headers: Readonly<Record<string, string>>): void;
  /** The body of an operation that takes bytes as they are. */
  readonly bytes: IncomingBytes;
  /** The body of an operation that reads it itself. */
  readonly raw: IncomingRaw;
  /**
   * Counts bytes in memory until the request ends: of a body that the operation reads itself, or of files.
   *
   * @throws {BodyError} `no-memory`: SERVER_OVERLOADED
   */
  readonly keep: (bytes: number) => void;
  /** Charges the limits that count cache misses. @throws RATE_LIMITED */
  readonly countMiss: () => Promise<void>;
  /** Sets the headers about a limit that the operation counts itself. @param left.limit in place of the contract's */
  announceLimit(left: { readonly remaining: number; readonly resetMs: number; readonly limit?: number }): void;
  /**
   * Announces further limits beside those of the route, in place of those of an earlier call. Does nothing once the
   * response has begun.
   *
   * @param headers further ones about the same limits
   */
  announceBudgets(limits: readonly AnnouncedBudget[], headers: Readonly<Record<string, string>>): void;
  /** The id that the response and the log line have. */
  readonly requestId: string;
  /** The header `Cache-Control`. */
  readonly cacheControl: string | undefined;
  /** Whether the client is one of the Messages API, which sends `Anthropic-Version`. */
  readonly speaksMessages: boolean;
  /** Aborted when the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
  /** Adds fields to the log line of this request. */
  note(more: CallNotes): void;
}

/** Returns the operator who sent a request, as the audit log shows them. */
export function operatorOf({ client, operator }: Pick<Call, 'client' | 'operator'>): AuditActor {
  return { kind: 'operator_key', id: operator.operatorKey.id, address: client.address };
}

/** Whether a key may write files, and so may see the addresses at which others write. */
export function mayWrite({ key }: Pick<Caller, 'key'>): boolean {
  return grantsAny(key.scopes, ['blob:write']);
}

/** Returns the sender of a request, as the account's activity shows it. */
export function actorOf({ client, caller }: Pick<Call, 'client' | 'caller'>): Actor {
  return {
    sourceIp: client.address,
    userAgent: client.userAgent,
    auth: caller.token ? 'upload_token' : 'api_key',
    keyId: caller.key.id,
  };
}
