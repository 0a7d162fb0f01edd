import type { UploadToken } from '#server/domain/access/upload-token.ts';
import type { FileOrigin } from '#server/domain/events/event-details.ts';

/** Returns the fields that a token adds to the events of its uploads. */
export function tokenFields(token: UploadToken | undefined): FileOrigin {
  if (!token) return {};
  const { id, pins } = token;
  return { uploadTokenId: id, ...(pins.callbackMetadata && { callbackMetadata: pins.callbackMetadata }) };
}
