import { EventStream, type EventStreamOptions } from '#generated/router.ts';

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
 * Opens a stream of events. Resolves with the first piece of the answer, so that a failure before it still has a status.
 * A comment is sent when nothing comes for a while, and then there is no status any more. The next piece is asked for
 * when the connection has taken the last one.
 *
 * @throws the errors of `deltas`
 */
export async function openDeltaStream<Delta>(
  deltas: AsyncGenerator<Delta, void>,
  writer: DeltaWriter<Delta>,
  { keepAliveMs }: StreamOptions,
): Promise<EventStream> {
  const first = asked(deltas);
  await within(first, keepAliveMs);
  return new EventStream(written(first, deltas, writer, keepAliveMs), {
    failed: (error) => writer.failed(error),
    longestStallMs,
  });
}

async function* written<Delta>(
  first: Promise<IteratorResult<Delta, void>>,
  deltas: AsyncGenerator<Delta, void>,
  writer: DeltaWriter<Delta>,
  keepAliveMs: number | null,
): AsyncGenerator<string, void> {
  try {
    yield writer.begin();
    let isFirst = true;
    for (let pending = first; ;) {
      const next = await within(pending, keepAliveMs);
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
      pending = asked(deltas);
    }
  } finally {
    await deltas.return();
  }
}

function asked<Delta>(deltas: AsyncGenerator<Delta, void>): Promise<IteratorResult<Delta, void>> {
  const next = deltas.next();
  // A reader that has gone does not wait for it.
  next.catch(() => {});
  return next;
}

/** Returns undefined if it takes longer. */
async function within<T>(pending: Promise<T>, longestMs: number | null): Promise<T | undefined> {
  if (longestMs === null) return pending;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), longestMs)));
  try {
    return await Promise.race([pending, over]);
  } finally {
    clearTimeout(timer);
  }
}
