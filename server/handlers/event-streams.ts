import { EventStream } from '#generated/router.ts';
import { isLive } from '#server/domain/access/api-key.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { EventSignals } from '#server/domain/events/event-signals.ts';
import { streamEvents, type StreamEvents, type StreamStep } from '#server/domain/events/stream-events.ts';
import { wireEvent } from '#server/domain/events/wire-event.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { CorePorts } from './ports.ts';

export interface StreamPorts extends CorePorts {
  readonly eventSignals: EventSignals;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Streams of one account over this process. */
const mostStreams = 10;

/** Until a client tries again when there are too many streams. */
const retryAfterSeconds = 10;

/** Opens streams of events. It counts those of each account. */
export class EventStreams {
  readonly #open = new Map<string, number>();
  readonly #ports: StreamPorts;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
  }

  /** @throws TOO_MANY_EVENT_STREAMS, INVALID_CONTINUATION_TOKEN */
  async open(
    { account, key }: Pick<Caller, 'account' | 'key'>,
    command: Omit<StreamEvents, 'mayGoOn'>,
  ): Promise<EventStream> {
    const count = this.#open.get(account.id) ?? 0;
    if (count >= mostStreams) throw new Refusal('TOO_MANY_EVENT_STREAMS', { retryAfterSeconds });
    this.#open.set(account.id, count + 1);
    try {
      const signal = AbortSignal.any([command.signal, this.#ports.stopping]);
      const mayGoOn = () => this.#mayGoOn(account.id, key.id);
      const steps = await streamEvents(this.#ports, { ...command, signal, mayGoOn });
      return new EventStream(this.#written(account.id, steps));
    } catch (error) {
      this.#close(account.id);
      throw error;
    }
  }

  async *#written(accountId: string, steps: AsyncGenerator<StreamStep>): AsyncGenerator<string> {
    try {
      yield ': events of the account\nretry: 2000\n\n';
      for await (const step of steps) yield textOf(step);
    } finally {
      this.#close(accountId);
    }
  }

  #close(accountId: string): void {
    const left = this.#open.get(accountId)! - 1;
    if (left === 0) this.#open.delete(accountId);
    else this.#open.set(accountId, left);
  }

  /** A key may be revoked, and an account suspended, while a stream is open. */
  async #mayGoOn(accountId: string, keyId: string): Promise<boolean> {
    const { metadata, clock } = this.#ports;
    const keys = await metadata.read.apiKeys.liveOf(accountId, clock.now());
    const isKeyLive = keys.some((key) => key.id === keyId && isLive(key, clock.now()));
    return isKeyLive && !(await metadata.read.accounts.isClosed(accountId));
  }
}

function textOf(step: StreamStep): string {
  if ('keepAlive' in step) return ': keep-alive\n\n';
  if ('truncated' in step) return `event: truncated\nid: ${step.cursor}\ndata: {}\n\n`;
  // JSON has no line breaks.
  return `id: ${step.cursor}\ndata: ${JSON.stringify(wireEvent(step.event))}\n\n`;
}
