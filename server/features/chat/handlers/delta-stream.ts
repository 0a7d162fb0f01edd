import { EventStream, type EventStreamOptions } from '#server/http/reply.ts';

/** How the pieces of an answer become server-sent events. */
export interface DeltaWriter<Delta> {
  /** The events before all pieces. */
  begin(): string;
  /** The events of one piece; empty for none. */
  write(delta: Delta): string;
  /** What keeps the connection open when nothing comes. Default: a comment. */
  readonly keepAlive?: string;
  /** The last events of an answer that breaks off. */
  failed(...error: Parameters<NonNullable<EventStreamOptions['failed']>>): string;
}

interface StreamOptions {
  /** How long nothing may come before a comment; null without comments. */
  readonly keepAliveMs: number | null;
}

/** After how many milliseconds a reader that takes nothing counts as gone. */
const longestStallMs = 30_000;

/**
 * Opens a stream of events. Resolves with the first piece of the answer, so that a failure before it still has a
 * status. A comment is sent when nothing comes for a while, and then there is no status any more. The next piece is
 * requested when the connection has taken the last one.
 *
 * @throws the errors of `deltas`
 */
export async function openDeltaStream<Delta>(
  deltas: AsyncGenerator<Delta, void>,
  writer: DeltaWriter<Delta>,
  { keepAliveMs }: StreamOptions,
): Promise<EventStream> {
  const first = requestNext(deltas);
  const waiting = new Waiting(keepAliveMs);
  await waiting.until(first);
  return new EventStream(written(first, deltas, writer, waiting), {
    failed: (error) => writer.failed(error),
    longestStallMs,
  });
}

async function* written<Delta>(
  first: Promise<IteratorResult<Delta, void>>,
  deltas: AsyncGenerator<Delta, void>,
  writer: DeltaWriter<Delta>,
  waiting: Waiting,
): AsyncGenerator<string, void> {
  try {
    yield writer.begin();
    let isFirst = true;
    for (let pending = first; ;) {
      const next = await waiting.until(pending);
      if (next === undefined) {
        yield writer.keepAlive ?? ': keep-alive\n\n';
        continue;
      }
      if (next.done) return;
      const events = writer.write(next.value);
      if (events !== '') {
        yield events;
        // The first piece is sent before the rest is read, which may have come at once.
        if (isFirst) await new Promise((resolve) => setImmediate(resolve));
        isFirst = false;
      }
      pending = requestNext(deltas);
    }
  } finally {
    waiting.end();
    await deltas.return();
  }
}

function requestNext<Delta>(deltas: AsyncGenerator<Delta, void>): Promise<IteratorResult<Delta, void>> {
  const next = deltas.next();
  // A reader that has gone does not wait for it.
  next.catch(() => {});
  return next;
}

/** Waits for one thing after the other, each for a limited time. All share one timer, because there are thousands. */
class Waiting {
  readonly #longestMs: number | null;
  #timer: NodeJS.Timeout | undefined;
  #stop: (() => void) | undefined;

  /** @param longestMs null without a limit */
  constructor(longestMs: number | null) {
    this.#longestMs = longestMs;
  }

  /** Returns undefined if it takes longer. */
  until<T>(pending: Promise<T>): Promise<T | undefined> {
    const longestMs = this.#longestMs;
    if (longestMs === null) return pending;
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve(undefined);
      if (this.#timer) this.#timer.refresh();
      else this.#timer = setTimeout(() => this.#stop?.(), longestMs).unref();
      pending.then(resolve, reject);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
