import { StringDecoder } from 'node:string_decoder';

import { createParser, type EventSourceParser } from 'eventsource-parser';

import { UpstreamFailure } from './failure.ts';

export interface EventLimits {
  /** Of one event, and so of one line. In UTF-16 code units. */
  readonly maxEventLength: number;
  /** Of the whole stream. */
  readonly maxBytes: number;
}

/** The parser looks for line ends in all that it gets at once, so it gets a little. */
const fedLength = 8192;

/** Reads server-sent events out of the pieces of a body. Comments and fields other than the data are dropped. */
export class EventReader {
  readonly #limits: EventLimits;
  readonly #parser: EventSourceParser;
  // It is much smaller than a TextDecoder, of which each stream would keep one.
  readonly #decoder = new StringDecoder('utf8');
  #events: string[] = [];
  #isTooLarge = false;
  #sizeBytes = 0;

  constructor(limits: EventLimits) {
    this.#limits = limits;
    this.#parser = createParser({
      maxBufferSize: limits.maxEventLength,
      onEvent: ({ data }) => void this.#events.push(data),
      onError: ({ type }) => void (this.#isTooLarge ||= type === 'max-buffer-size-exceeded'),
    });
  }

  /**
   * Reads the next piece. Returns the data of the events that end in it.
   *
   * @throws {UpstreamFailure} too-large
   */
  read(chunk: Buffer): readonly string[] {
    this.#sizeBytes += chunk.length;
    const text = this.#decoder.write(chunk);
    for (let at = 0; at < text.length; at += fedLength) {
      this.#parser.feed(text.slice(at, at + fedLength));
      if (this.#isTooLarge) throw new UpstreamFailure({ kind: 'too-large' });
    }
    if (this.#sizeBytes > this.#limits.maxBytes) throw new UpstreamFailure({ kind: 'too-large' });
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
