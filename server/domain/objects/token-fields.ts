import type { UploadToken } from '../access/upload-token.ts';
import type { EventData } from '../events/event.ts';

/** Returns the fields that a token adds to the events of its uploads. */
export function tokenFields(token: UploadToken | undefined): EventData {
  if (!token) return {};
  const { id, pins } = token;
  return { upload_token: { id }, ...(pins.callbackMetadata && { callback_metadata: pins.callbackMetadata }) };
}
