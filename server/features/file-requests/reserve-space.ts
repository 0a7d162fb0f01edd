import { inFlightStepBytes, maxInFlightExcessBytes } from '#server/domain/limits.ts';
import { sentPlaceMs } from './limits.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { refusalOfUpload, spaceLeftOf, type FileRequest, type SpaceLeft } from './file-request.ts';
import type { FileRequestsTable, ReservedSpace } from './table.ts';

interface Deps {
  readonly metadata: Writes<'fileRequests'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

/** Returns the refusal of a file that does not fit. */
export function fileRequestFull(): Refusal {
  return new Refusal('FILE_REQUEST_FULL');
}

/**
 * Finds the request of an upload again, because its owner may have changed it since.
 *
 * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED
 */
export async function requireGoing(
  { fileRequests, now }: { readonly fileRequests: Pick<FileRequestsTable, 'find'>; readonly now: number },
  requestId: string,
  begunAt: number,
): Promise<FileRequest> {
  const request = await fileRequests.find(requestId);
  if (!request) throw new Refusal('FILE_REQUEST_NOT_FOUND');
  const code = refusalOfUpload(request, begunAt, now);
  if (code !== undefined) throw new Refusal(code);
  return request;
}

/** What uploads to a request have reserved. */
interface AllReserved {
  /** Exactly, by uploads whose size is known. */
  readonly announced: ReservedSpace;
  /** So far, by forms, whose files have unknown sizes. */
  readonly byForms: ReservedSpace;
}

async function allReserved(tx: Transaction<'fileRequests'>, requestId: string, except?: string): Promise<AllReserved> {
  const [announced, byForms] = await Promise.all([
    announcedNow(tx, requestId, except),
    tx.fileRequests.reservedOf(requestId),
  ]);
  return { announced, byForms };
}

/**
 * Returns what uploads with a place have announced. An upload has a place for ten minutes after its start or its last
 * bytes.
 *
 * @param except an upload that does not count
 */
export function announcedNow(
  { fileRequests, now }: Transaction<'fileRequests'>,
  requestId: string,
  except?: string,
): Promise<ReservedSpace> {
  return fileRequests.announcedOf(requestId, now - sentPlaceMs, except);
}

/**
 * Returns what a request still takes beside all uploads under way.
 *
 * @param except an upload that does not count
 */
export async function readSpaceLeft(
  tx: Transaction<'fileRequests'>,
  request: FileRequest,
  except?: string,
): Promise<SpaceLeft> {
  const { announced, byForms } = await allReserved(tx, request.id, except);
  return spaceLeftOf(request, { files: announced.files + byForms.files, bytes: announced.bytes + byForms.bytes });
}

/**
 * Whether the file of a form may go on. The sizes of files under way are not known. If all their bytes had to fit,
 * parallel uploads would reject each other for space that none of them fills. So together they may exceed the limit by
 * a fixed amount, as those of an account may exceed its quota.
 */
function mayGoOn(request: FileRequest, reserved: AllReserved, arrivedBytes: number, more: number): boolean {
  const { announced, byForms } = reserved;
  const { bytes: left } = spaceLeftOf(request, announced);
  return left === null || (arrivedBytes <= left && byForms.bytes + more <= left + maxInFlightExcessBytes);
}

/**
 * Space of a request for one file. It is reserved before a byte is received, so that parallel uploads never exceed a
 * limit. Bytes are reserved in steps as they arrive, because nobody has said how many come.
 */
export class SpaceReservation {
  readonly #deps: Deps;
  readonly #request: FileRequest;
  readonly #begunAt: number;
  readonly #id: string;
  #arrivedBytes = 0;
  #reservedBytes = 0;

  private constructor(deps: Deps, request: FileRequest, begunAt: number) {
    this.#deps = deps;
    this.#request = request;
    this.#begunAt = begunAt;
    this.#id = deps.ids.opaqueId();
  }

  /**
   * Reserves space for a file.
   *
   * @param begunAt when its upload began
   * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED, FILE_REQUEST_FULL
   */
  static async begin(deps: Deps, request: FileRequest, begunAt: number): Promise<SpaceReservation> {
    const reservation = new SpaceReservation(deps, request, begunAt);
    await deps.metadata.atomically(
      async (tx) => {
        const current = await requireGoing(tx, request.id, begunAt);
        const { announced } = await allReserved(tx, request.id);
        const { files } = await readSpaceLeft(tx, current);
        if (files === 0 || spaceLeftOf(current, announced).bytes === 0) throw fileRequestFull();
        await tx.fileRequests.reserve(reservation.#id, request.id, { files: 1, bytes: 0 });
      },
      // Another start releases all reservations, so a power cut takes nothing.
      { account: request.accountId, isDurable: false },
    );
    return reservation;
  }

  /** Passes bytes on once they are reserved. @throws FILE_REQUEST_FULL */
  async *counting(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#arrivedBytes += chunk.length;
      // Without a limit of bytes, the quota alone counts them.
      if (this.#request.maxBytes !== null && this.#arrivedBytes - this.#reservedBytes >= inFlightStepBytes)
        await this.#reserveArrived();
      yield chunk;
    }
  }

  async #reserveArrived(): Promise<void> {
    const { id, accountId } = this.#request;
    const more = this.#arrivedBytes - this.#reservedBytes;
    await this.#deps.metadata.atomically(
      async (tx) => {
        const current = await requireGoing(tx, id, this.#begunAt);
        if (!mayGoOn(current, await allReserved(tx, id), this.#arrivedBytes, more)) throw fileRequestFull();
        await tx.fileRequests.reserveMore(this.#id, more);
      },
      { account: accountId, isDurable: false },
    );
    this.#reservedBytes += more;
  }

  /**
   * Spends the space, in the transaction that stores the file. What is stored never exceeds a limit, even if the
   * reservation was released meanwhile, because this process did not reach the database for some time.
   *
   * @returns the request as it is now, before this file is counted
   * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED, FILE_REQUEST_FULL
   */
  async spend(tx: Transaction<'fileRequests'>, sizeBytes: number): Promise<FileRequest> {
    const request = await requireGoing(tx, this.#request.id, this.#begunAt);
    await tx.fileRequests.release(this.#id);
    const { files, bytes } = spaceLeftOf(request, await announcedNow(tx, request.id));
    if (files === 0 || (bytes !== null && bytes < sizeBytes)) throw fileRequestFull();
    return request;
  }

  /**
   * Releases the space of a file that was not stored. If the metadata store cannot be written, it stays reserved until
   * the next start of the server, or until another server releases it.
   */
  async release(): Promise<void> {
    const { metadata } = this.#deps;
    const options = { account: this.#request.accountId, isDurable: false };
    await metadata.atomically((tx) => tx.fileRequests.release(this.#id), options).catch(() => undefined);
  }
}

/** Releases what uploads of a process had reserved when it ended, or all earlier ones. Returns how many there were. */
export function releaseReservedSpace({ metadata }: Pick<Deps, 'metadata'>, owner?: string): Promise<number> {
  return metadata.atomically((tx) => tx.fileRequests.releaseAll(owner));
}
