import { sentPlaceMs } from '../limits.ts';
import type { Transaction } from '../ports/metadata.ts';
import type { HeldRoom } from './table.ts';

export const nothingHeld: HeldRoom = { files: 0, bytes: 0 };

/** Returns what uploads under way hold of a request's room. */
export async function heldNow(
  { fileRequests, now }: Transaction<'fileRequests'>,
  requestId: string,
): Promise<HeldRoom> {
  return (await fileRequests.underWayOf([requestId], now - sentPlaceMs)).get(requestId) ?? nothingHeld;
}

/** Frees what uploads under way hold. Those that go on later must find room again. */
export async function freeRoomOf(
  { chunkedUploads, fileRequests, now }: Transaction<'chunkedUploads' | 'fileRequests'>,
  requestId: string,
): Promise<void> {
  await chunkedUploads.freePlaces(requestId, now);
  await fileRequests.releaseOf(requestId);
}
