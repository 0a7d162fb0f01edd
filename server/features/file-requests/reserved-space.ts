import { sentPlaceMs } from './limits.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import type { ReservedSpace } from './table.ts';

export const nothingReserved: ReservedSpace = { files: 0, bytes: 0 };

/** Returns what uploads under way have reserved of a request's space. */
export async function reservedNow(
  { fileRequests, now }: Transaction<'fileRequests'>,
  requestId: string,
): Promise<ReservedSpace> {
  return (await fileRequests.underWayOf([requestId], now - sentPlaceMs)).get(requestId) ?? nothingReserved;
}

/** Frees what uploads under way have reserved. Those that go on later must find space again. */
export async function releaseReserved(
  { fileRequests, now }: Transaction<'fileRequests'>,
  requestId: string,
): Promise<void> {
  await fileRequests.freePlaces(requestId, now);
  await fileRequests.releaseOf(requestId);
}
