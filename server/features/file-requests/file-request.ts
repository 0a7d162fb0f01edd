import type { EnvelopeCode } from '#generated/errors.ts';
import type { Prefix } from '#server/domain/prefixes.ts';

/** The states of a file request. @see openapi/schemas/file-requests/FileRequestState.yaml */
export type FileRequestState = 'open' | 'closed' | 'expired';

/** A page where others put files into a folder. Instants are milliseconds since the epoch, sizes bytes. */
export interface FileRequest {
  /** Names the request. It opens nothing. */
  readonly id: string;
  /** Keyed hash of the secret in the address of the page. @see link.ts */
  readonly linkHash: string;
  /** That secret, encrypted under the master key, to show it to the owner. */
  readonly sealedLink: string;
  readonly accountId: string;
  /** The folder in the private space. */
  readonly prefix: Prefix;
  readonly title: string;
  readonly note: string | null;
  readonly createdAt: number;
  readonly deadlineAt: number | null;
  /** How long after the deadline an upload that began before it may go on. */
  readonly graceMs: number;
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
  /** The limit of one file. */
  readonly maxFileBytes: number | null;
  readonly allowedExtensions: readonly string[] | null;
  readonly passwordHash: string | null;
  /** Whether each sender gives a name and gets a folder. */
  readonly hasSenderFolders: boolean;
  readonly closedAt: number | null;
  /** A deleted request is invisible. A job removes its rows. */
  readonly deletedAt: number | null;
  /** What has arrived. */
  readonly files: number;
  readonly bytes: number;
  readonly senders: number;
}

/** A request as its owner sees it. */
export interface OwnedFileRequest {
  readonly request: FileRequest;
  readonly state: FileRequestState;
  /** The secret in the address of its page. */
  readonly link: string;
  /** What uploads under way have reserved of its space. */
  readonly reserved: { readonly files: number; readonly bytes: number };
}

/** Returns the state of a request at `now`. A request that is closed after its deadline is closed. */
export function stateOf({ closedAt, deadlineAt }: FileRequest, now: number): FileRequestState {
  if (closedAt !== null) return 'closed';
  return deadlineAt !== null && deadlineAt <= now ? 'expired' : 'open';
}

/** The code that rejects senders in each state. */
export const stateRefusals = {
  open: undefined,
  closed: 'FILE_REQUEST_CLOSED',
  expired: 'FILE_REQUEST_EXPIRED',
} as const satisfies Record<FileRequestState, EnvelopeCode | undefined>;

/**
 * Returns the code that rejects an upload at `now`, or undefined. An upload that began before the deadline may go on
 * for the grace.
 */
export function refusalOfUpload(request: FileRequest, begunAt: number, now: number): EnvelopeCode | undefined {
  const { deadlineAt, graceMs } = request;
  const isInGrace = deadlineAt !== null && begunAt < deadlineAt && now < deadlineAt + graceMs;
  return stateRefusals[stateOf(isInGrace ? { ...request, deadlineAt: null } : request, now)];
}

/** What a request still takes. Null for no limit. */
export interface SpaceLeft {
  readonly files: number | null;
  readonly bytes: number | null;
}

/** Returns what a request still takes, beside what it has and what uploads under way have reserved. */
export function spaceLeftOf(
  { maxFiles, maxBytes, files, bytes }: FileRequest,
  reserved: { readonly files: number; readonly bytes: number } = { files: 0, bytes: 0 },
): SpaceLeft {
  return {
    files: maxFiles === null ? null : Math.max(0, maxFiles - files - reserved.files),
    bytes: maxBytes === null ? null : Math.max(0, maxBytes - bytes - reserved.bytes),
  };
}

/** Whether a request takes nothing more. */
export function isFull(request: FileRequest): boolean {
  const { files, bytes } = spaceLeftOf(request);
  return files === 0 || bytes === 0;
}
