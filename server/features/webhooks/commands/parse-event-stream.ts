/** An event of a stream of server-sent events. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  /** `message` without a name. */
  readonly event: string;
  readonly data: string;
}

/** A line that is longer than this is no event of ours. */
const maxLineLength = 1_048_576;

/**
 * Reads server-sent events from text that comes in pieces. Lines end with a line feed, as this server writes them.
 * Comments are dropped.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* parseEventStream(pieces: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  let rest = '';
  let fields: Record<string, string> = {};
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    if (rest.length > maxLineLength) throw new Error('The server sent a line without an end.');
    for (const line of lines) {
      if (line === '') {
        // "If the data buffer is an empty string, set the data buffer and the event type buffer to the empty string and
        // return."
        if (fields.data !== undefined) yield { id: fields.id, event: fields.event ?? 'message', data: fields.data };
        fields = {};
        continue;
      }
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (name !== '') fields[name] = name === 'data' && fields.data !== undefined ? `${fields.data}\n${value}` : value;
    }
  }
}
