import type { ChunkedUpload } from '../chunked-upload.ts';
import { maxBytesOf } from '../put-part.ts';
import { chunkedUploadIdleMs, minUploadBytes } from '#server/domain/limits.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { publicUrl } from '#server/features/files/public-url.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { SerialState } from '../serial-state.ts';
import { formatHttpDate } from '#server/http/http-date.ts';
import type { UploadHeaders } from '#server/handlers/call.ts';

/** Returns the address of an upload, relative to that of the API. */
export function addressOf(handle: string): string {
  return `/v1/uploads/${handle}`;
}

/** Returns when an open upload is aborted if no bytes arrive. */
export function expiresAtOf({ state, activeAt }: Pick<ChunkedUpload, 'state' | 'activeAt'>): number | null {
  return state === 'open' ? activeAt + chunkedUploadIdleMs : null;
}

/** Returns the headers by which a protocol says how far an upload is, and which file it has made. */
export function headersOf(
  { clock, publicHost }: { readonly clock: Clock; readonly publicHost: string },
  state: SerialState,
  protocol: UploadHeaders['protocol'],
): Record<string, string> {
  const { upload, offsetBytes } = state;
  const { outcome, resolved } = upload;
  const sizeBytes = outcome?.sizeBytes ?? upload.declaredBytes;
  const expiresAt = expiresAtOf(upload);
  const url = outcome && publicUrl(publicHost, resolved.address);
  return {
    'Upload-Offset': String(offsetBytes),
    ...(sizeBytes !== null && { 'Upload-Length': String(sizeBytes) }),
    ...(expiresAt !== null && { 'Upload-Expires': formatHttpDate(expiresAt) }),
    ...(outcome && { 'X-Cubby-Object': encodeURI(formatObjectId(resolved.address)) }),
    ...(url && { 'X-Cubby-Url': url }),
    ...(protocol === 'tus' ? tusHeaders(upload) : draftHeaders(upload, expiresAt, clock.now())),
  };
}

function tusHeaders({ serial, outcome, declaredBytes }: ChunkedUpload): Record<string, string> {
  const concat = serial?.isPartial ? 'partial' : serial?.madeOf;
  return {
    ...(!outcome && declaredBytes === null && { 'Upload-Defer-Length': '1' }),
    ...(serial?.metadata !== undefined && { 'Upload-Metadata': serial.metadata }),
    ...(concat !== undefined && { 'Upload-Concat': concat }),
  };
}

function draftHeaders(upload: ChunkedUpload, expiresAt: number | null, now: number): Record<string, string> {
  const age = expiresAt === null ? '' : `, max-age=${Math.max(0, Math.floor((expiresAt - now) / 1000))}`;
  return {
    'Upload-Complete': upload.outcome ? '?1' : '?0',
    'Upload-Limit': `max-size=${maxBytesOf(upload)}, min-size=${minUploadBytes}${age}`,
  };
}
