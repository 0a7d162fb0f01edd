import type { EventStream } from '#server/http/reply.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { EventSignals } from '#server/domain/events/event-signals.ts';
import { streamEvents, type StreamEvents, type StreamStep } from '#server/domain/events/stream-events.ts';
import { OpenStreams } from './open-streams.ts';
import type { CorePorts } from './ports.ts';
import { wireEvent } from './wire-event.ts';

export interface StreamPorts extends CorePorts {
  readonly eventSignals: EventSignals;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Opens streams of events. */
export class EventStreams {
  readonly #streams: OpenStreams;
  readonly #ports: StreamPorts;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
    this.#streams = new OpenStreams(ports);
  }

  /** @throws TOO_MANY_EVENT_STREAMS, INVALID_CONTINUATION_TOKEN */
  async open(
    caller: Pick<Caller, 'account' | 'key' | 'session'>,
    command: Omit<StreamEvents, 'mayGoOn'>,
  ): Promise<EventStream> {
    return this.#streams.open(caller, command.signal, async (terms) =>
      written(await streamEvents(this.#ports, { ...command, ...terms })),
    );
  }
}

async function* written(steps: AsyncGenerator<StreamStep>): AsyncGenerator<string> {
  yield ': events of the account\nretry: 2000\n\n';
  for await (const step of steps) yield textOf(step);
}

function textOf(step: StreamStep): string {
  if ('keepAlive' in step) return ': keep-alive\n\n';
  if ('truncated' in step) return `event: truncated\nid: ${step.cursor}\ndata: {}\n\n`;
  // JSON has no line breaks.
  return `id: ${step.cursor}\ndata: ${JSON.stringify(wireEvent(step.event))}\n\n`;
}
