import { inFlightStepBytes, maxInFlightExcessBytes, sentPlaceMs } from '../limits.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { refusalOfUpload, roomOf, type FileRequest, type Room } from './file-request.ts';
import type { FileRequestsTable, HeldRoom } from './table.ts';

interface Deps {
  readonly metadata: Writes<'fileRequests'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

/** Returns the refusal of a file that does not fit. */
export function noRoom(): Refusal {
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

/** What uploads to a request hold. */
interface AllHeld {
  /** Held exactly, by uploads whose size is known. */
  readonly announced: HeldRoom;
  /** Held by forms, whose files have unknown sizes. */
  readonly held: HeldRoom;
}

async function allHeld(tx: Transaction<'fileRequests'>, requestId: string, except?: string): Promise<AllHeld> {
  const [announced, held] = await Promise.all([announcedNow(tx, requestId, except), tx.fileRequests.heldOf(requestId)]);
  return { announced, held };
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
): Promise<HeldRoom> {
  return fileRequests.announcedOf(requestId, now - sentPlaceMs, except);
}

/**
 * Returns what a request takes beside all uploads under way.
 *
 * @param except an upload that does not count
 */
export async function freeRoom(tx: Transaction<'fileRequests'>, request: FileRequest, except?: string): Promise<Room> {
  const { announced, held } = await allHeld(tx, request.id, except);
  return roomOf(request, { files: announced.files + held.files, bytes: announced.bytes + held.bytes });
}

/**
 * Whether the file of a form may go on. The sizes of files under way are not known. If all their bytes had to fit,
 * parallel uploads would reject each other for room that none of them fills. So together they may exceed the limit by a
 * fixed amount, as those of an account may exceed its quota.
 */
function mayGoOn(request: FileRequest, room: AllHeld, arrivedBytes: number, more: number): boolean {
  const { announced, held } = room;
  const { bytes: left } = roomOf(request, announced);
  return left === null || (arrivedBytes <= left && held.bytes + more <= left + maxInFlightExcessBytes);
}

/**
 * Room of a request for one file. It is held before a byte is received, so that parallel uploads never exceed a limit.
 * Bytes are held in steps as they arrive, because nobody has said how many come.
 */
export class RoomHold {
  readonly #deps: Deps;
  readonly #request: FileRequest;
  readonly #begunAt: number;
  readonly #id: string;
  #arrivedBytes = 0;
  #heldBytes = 0;

  private constructor(deps: Deps, request: FileRequest, begunAt: number) {
    this.#deps = deps;
    this.#request = request;
    this.#begunAt = begunAt;
    this.#id = deps.ids.opaqueId();
  }

  /**
   * Holds room for a file.
   *
   * @param begunAt when its upload began
   * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED, FILE_REQUEST_FULL
   */
  static async begin(deps: Deps, request: FileRequest, begunAt: number): Promise<RoomHold> {
    const hold = new RoomHold(deps, request, begunAt);
    await deps.metadata.atomically(
      async (tx) => {
        const current = await requireGoing(tx, request.id, begunAt);
        const { announced } = await allHeld(tx, request.id);
        const { files } = await freeRoom(tx, current);
        if (files === 0 || roomOf(current, announced).bytes === 0) throw noRoom();
        await tx.fileRequests.hold(hold.#id, request.id, { files: 1, bytes: 0 });
      },
      // Another start releases all holds, so a power cut takes nothing.
      { account: request.accountId, isDurable: false },
    );
    return hold;
  }

  /** Passes bytes on once they are held. @throws FILE_REQUEST_FULL */
  async *counting(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#arrivedBytes += chunk.length;
      // Without a limit of bytes, the quota alone counts them.
      if (this.#request.maxBytes !== null && this.#arrivedBytes - this.#heldBytes >= inFlightStepBytes)
        await this.#holdArrived();
      yield chunk;
    }
  }

  async #holdArrived(): Promise<void> {
    const { id, accountId } = this.#request;
    const more = this.#arrivedBytes - this.#heldBytes;
    await this.#deps.metadata.atomically(
      async (tx) => {
        const current = await requireGoing(tx, id, this.#begunAt);
        if (!mayGoOn(current, await allHeld(tx, id), this.#arrivedBytes, more)) throw noRoom();
        await tx.fileRequests.holdMore(this.#id, more);
      },
      { account: accountId, isDurable: false },
    );
    this.#heldBytes += more;
  }

  /**
   * Spends the room, in the transaction that stores the file. What is stored never exceeds a limit, even if the hold
   * was released meanwhile, because this process did not reach the database for some time.
   *
   * @returns the request as it is now, before this file is counted
   * @throws FILE_REQUEST_NOT_FOUND, FILE_REQUEST_CLOSED, FILE_REQUEST_EXPIRED, FILE_REQUEST_FULL
   */
  async spend(tx: Transaction<'fileRequests'>, sizeBytes: number): Promise<FileRequest> {
    const request = await requireGoing(tx, this.#request.id, this.#begunAt);
    await tx.fileRequests.release(this.#id);
    const { files, bytes } = roomOf(request, await announcedNow(tx, request.id));
    if (files === 0 || (bytes !== null && bytes < sizeBytes)) throw noRoom();
    return request;
  }

  /**
   * Releases the room of a file that was not stored. If the metadata store cannot be written, it stays held until the
   * next start of the server, or until another server releases it.
   */
  async release(): Promise<void> {
    const { metadata } = this.#deps;
    const options = { account: this.#request.accountId, isDurable: false };
    await metadata.atomically((tx) => tx.fileRequests.release(this.#id), options).catch(() => undefined);
  }
}

/** Releases what uploads of a process held when it ended, or all earlier ones. Returns how many there were. */
export function releaseHeldRoom({ metadata }: Pick<Deps, 'metadata'>, owner?: string): Promise<number> {
  return metadata.atomically((tx) => tx.fileRequests.releaseAll(owner));
}
