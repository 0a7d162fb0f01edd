import type { EventSignals } from '#server/domain/events/event-signals.ts';
import type { StreamStep } from '#server/domain/events/stream-events.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { wireEvent } from './wire-event.ts';

export interface StreamPorts extends CorePorts {
  readonly eventSignals: EventSignals;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Writes steps of a stream as server-sent events. */
export async function* writtenEvents(steps: AsyncGenerator<StreamStep>): AsyncGenerator<string> {
  yield ': events of the account\nretry: 2000\n\n';
  for await (const step of steps) yield textOf(step);
}

function textOf(step: StreamStep): string {
  if ('keepAlive' in step) return ': keep-alive\n\n';
  if ('truncated' in step) return `event: truncated\nid: ${step.cursor}\ndata: {}\n\n`;
  // JSON has no line breaks.
  return `id: ${step.cursor}\ndata: ${JSON.stringify(wireEvent(step.event))}\n\n`;
}
