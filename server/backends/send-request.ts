import type { Dispatcher } from 'undici';

import { openResponse, type OpenedResponse, type OpeningOptions, type OutgoingRequest } from './open-response.ts';

/** Thrown when the body of an outside server's response is larger than the limit. */
export class BodyTooLarge extends Error {
  /** Of the response. */
  readonly status: number;

  constructor(status: number) {
    super('The body is too large.');
    this.name = 'BodyTooLarge';
    this.status = status;
  }
}

interface OutgoingLimits extends Omit<OpeningOptions, 'bodyTimeout'> {
  /** The limit of the body, by the status of the response. */
  readonly maxBytes: (status: number) => number;
}

/** A response that was read to its end. */
interface ReceivedResponse extends Pick<OpenedResponse, 'status' | 'retryAfter'> {
  /** Decoded from UTF-8, without a byte order mark. */
  readonly text: string;
}

/**
 * Sends one request and reads the whole response. Follows no redirect and makes no second try.
 *
 * @throws {BodyTooLarge} as soon as the limit is passed, and closes the connection
 * @throws the signal's reason, or the client's error
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  request: OutgoingRequest,
  { maxBytes, ...options }: OutgoingLimits,
): Promise<ReceivedResponse> {
  const { status, retryAfter, body } = await openResponse(dispatcher, request, { ...options, bodyTimeout: null });
  const text = await body.text(maxBytes(status));
  if (text === undefined) throw new BodyTooLarge(status);
  return { status, retryAfter, text };
}
