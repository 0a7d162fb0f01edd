import { StringDecoder } from 'node:string_decoder';

import { createParser } from 'eventsource-parser';

import type { ReceivedBody } from '../open-response.ts';
import { UpstreamFailure } from './failure.ts';

export interface EventLimits {
  /** Of one event, and so of one line. In UTF-16 code units. */
  readonly maxEventLength: number;
  /** Of the whole stream. */
  readonly maxBytes: number;
}

/** The parser looks for line ends in all that it gets at once, so it gets a little. */
const fedLength = 8192;

/**
 * Returns the data of the server-sent events in a body, in the lists in which they come. Comments and other fields are
 * dropped.
 *
 * @throws {UpstreamFailure} too-large
 */
export async function* eventsOf(body: ReceivedBody, limits: EventLimits): AsyncGenerator<readonly string[], void> {
  let events: string[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: limits.maxEventLength,
    onEvent: ({ data }) => void events.push(data),
    onError: ({ type }) => void (isTooLarge ||= type === 'max-buffer-size-exceeded'),
  });
  // It is much smaller than a TextDecoder, of which each stream would keep one.
  const decoder = new StringDecoder('utf8');
  let sizeBytes = 0;
  for (let chunk = await body.next(); chunk; chunk = await body.next()) {
    sizeBytes += chunk.length;
    const text = decoder.write(chunk);
    for (let at = 0; at < text.length; at += fedLength) {
      parser.feed(text.slice(at, at + fedLength));
      if (isTooLarge) throw new UpstreamFailure({ kind: 'too-large' });
    }
    if (sizeBytes > limits.maxBytes) throw new UpstreamFailure({ kind: 'too-large' });
    if (events.length > 0) yield events;
    events = [];
  }
}
