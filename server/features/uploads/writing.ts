import { stateAfter, type ChunkedUpload, type NewPart, type StoredPart } from './chunked-upload.ts';
import { bytesOf } from './parts.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** A request that appends to an upload: its name, and the upload as it has left it. */
export class Writing {
  readonly uploadId: string;
  readonly writer: string;
  readonly #parts: StoredPart[];
  #revision: number;

  constructor(uploadId: string, writer: string, parts: readonly StoredPart[], revision: number) {
    this.uploadId = uploadId;
    this.writer = writer;
    this.#parts = [...parts];
    this.#revision = revision;
  }

  get parts(): readonly StoredPart[] {
    return this.#parts;
  }

  get revision(): number {
    return this.#revision;
  }

  get offsetBytes(): number {
    return bytesOf(this.#parts);
  }

  /** Notes a part that was stored in place of all from its number on. */
  replace(first: number, { part, blob, md5, isCut, sequence }: NewPart & { readonly sequence: number }): void {
    const { inline, ...rest } = blob;
    const stored = { part, md5, sequence, receivedAt: 0, blob: { ...rest, isInline: inline !== null } };
    this.#parts.splice(first - 1, Infinity, { ...stored, ...(isCut && { isCut }) });
    this.#revision = sequence;
  }
}

/**
 * Checks in the transaction that writes that the request still has the upload, and that nobody else has changed it.
 *
 * @throws UPLOAD_BUSY
 */
export function requireWriter(
  upload: ChunkedUpload | undefined,
  { writer, revision }: Pick<Writing, 'writer' | 'revision'>,
): void {
  if (upload?.writer !== writer || upload.revision !== revision) throw new Refusal('UPLOAD_BUSY');
}

/**
 * Checks that an upload takes bytes.
 *
 * @throws UPLOAD_COMPLETED, UPLOAD_IS_FINAL, UPLOAD_NOT_FOUND
 */
export function requireOpen(upload: ChunkedUpload, now: number): void {
  if (upload.serial?.madeOf !== undefined) throw new Refusal('UPLOAD_IS_FINAL');
  if (upload.outcome) throw new Refusal('UPLOAD_COMPLETED', { offsetBytes: upload.outcome.sizeBytes });
  stateAfter(upload, 'part', now);
}
