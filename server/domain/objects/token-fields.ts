import type { UploadToken } from '../access/upload-token.ts';
import type { FileOrigin } from '../events/event-details.ts';

/** Returns the fields that a token adds to the events of its uploads. */
export function tokenFields(token: UploadToken | undefined): FileOrigin {
  if (!token) return {};
  const { id, pins } = token;
  return { uploadTokenId: id, ...(pins.callbackMetadata && { callbackMetadata: pins.callbackMetadata }) };
}
