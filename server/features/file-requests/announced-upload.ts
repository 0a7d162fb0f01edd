import { sentPlaceMs } from './limits.ts';
import type { ChunkedUpload } from '#server/features/uploads/chunked-upload.ts';

/** What a request keeps of an upload. */
export interface Announcement {
  /** Keyed hash of the secret that the sender keeps. */
  readonly senderHash: string;
  /** As the sender gave it. Null if none was requested. */
  readonly senderName: string | null;
  /** The address that announced it. */
  readonly senderAddress: string | null;
  /** When the owner of the request freed the space that it had reserved. Null if nobody did. */
  readonly placeFreedAt: number | null;
}

/** An upload to a request. */
export interface AnnouncedUpload extends ChunkedUpload {
  /** The id of the request. */
  readonly sentTo: string;
  readonly announcement: Announcement;
}

/** Whether an upload to a request holds its place at `now`. */
export function holdsPlace(
  { activeAt, announcement }: Pick<AnnouncedUpload, 'activeAt' | 'announcement'>,
  now: number,
): boolean {
  return announcement.placeFreedAt === null && activeAt > now - sentPlaceMs;
}
