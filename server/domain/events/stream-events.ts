import { pause } from '#server/event-loop.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { formatEventCursor } from './event-cursor.ts';
import type { EventSignals } from './event-signals.ts';
import { listEvents, type EventPage, type ListEvents } from './list-events.ts';
import type { SeenEvent } from './seen-event.ts';

interface Deps {
  readonly metadata: Pick<Metadata<'events'>, 'read'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
  readonly eventSignals: EventSignals;
}

interface StreamEvents extends Omit<ListEvents, 'limit'> {
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Whether the caller may still read. Checked at each keep-alive. */
  readonly mayGoOn: () => Promise<boolean>;
  /** A keep-alive is sent after this long without an event. */
  readonly keepAliveMs?: number;
  /** How often it looks for events of other processes. */
  readonly pollMs?: number;
}

/** A step of a stream: an event with the cursor behind it, the notice that history is gone, or a keep-alive. */
export type StreamStep =
  | { readonly event: SeenEvent; readonly cursor: string }
  | { readonly truncated: true; readonly cursor: string }
  | { readonly keepAlive: true };

/** Events that one read returns. Each is sent before the next read, so a slow reader takes no more memory than this. */
const stepEvents = 100;

/**
 * Returns an account's events as they happen, from a cursor on.
 *
 * @throws INVALID_CONTINUATION_TOKEN at once
 */
export async function streamEvents(deps: Deps, command: StreamEvents): Promise<AsyncGenerator<StreamStep>> {
  // The first page is read here, so that a wrong cursor gets a refusal and not a stream.
  return steps(deps, command, await listEvents(deps, { ...command, limit: stepEvents }));
}

async function* steps(deps: Deps, command: StreamEvents, first: EventPage): AsyncGenerator<StreamStep> {
  const { accountId, signal, mayGoOn, keepAliveMs = 15_000, pollMs = 2_000 } = command;
  const waiting = new Waiting(deps.eventSignals, accountId, signal);
  let quietSince = performance.now();
  try {
    for (let page = first; !signal.aborted;) {
      const { cursor } = page;
      if (page.isTruncated) yield { truncated: true, cursor };
      for (const event of page.events) {
        if (signal.aborted) return;
        yield { event, cursor: formatEventCursor(deps.secrets, accountId, event) };
      }
      if (page.events.length > 0) quietSince = performance.now();
      if (!page.hasMore) await waiting.for(pollMs);
      if (performance.now() - quietSince >= keepAliveMs) {
        if (!(await mayGoOn())) return;
        yield { keepAlive: true };
        quietSince = performance.now();
      }
      if (signal.aborted) return;
      page = await listEvents(deps, { ...command, cursor, limit: stepEvents });
      // Checked here too, because an account that is never quiet has no keep-alive.
      if (page.events.length > 0 && !(await mayGoOn())) return;
    }
  } finally {
    waiting.end();
  }
}

/** Waits for events of an account, for a time, or for the end of a stream. */
class Waiting {
  #woken = new AbortController();
  readonly #stopListening: () => void;
  readonly #signal: AbortSignal;
  readonly #wake = (): void => this.#woken.abort();

  constructor(signals: EventSignals, accountId: string, signal: AbortSignal) {
    this.#signal = signal;
    this.#stopListening = signals.listen((changed) => {
      if (changed === accountId) this.#wake();
    });
    signal.addEventListener('abort', this.#wake);
  }

  async for(ms: number): Promise<void> {
    if (this.#signal.aborted) return;
    await pause(ms, this.#woken.signal);
    this.#woken = new AbortController();
  }

  end(): void {
    this.#stopListening();
    this.#signal.removeEventListener('abort', this.#wake);
    this.#wake();
  }
}
