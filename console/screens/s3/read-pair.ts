import { getS3Credentials, type S3Credentials } from '#dist/modules/client/index.js';

import { errorFrom } from '../../app/api-error.ts';

/**
 * Returns the key pair of an API key. The request has the key and not the session, which has no pair. A wrong key does
 * not end the session, as a 401 of the session would.
 *
 * @throws {ApiError}
 */
export async function readPair(apiKey: string): Promise<S3Credentials> {
  const headers = { Authorization: `Bearer ${apiKey.trim()}` };
  const { data, error, response } = await getS3Credentials({ headers, credentials: 'omit' });
  if (response?.ok && data) return data.response;
  throw errorFrom(response, error);
}
