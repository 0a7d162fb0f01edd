import { useEffect, useState } from 'preact/hooks';

import { listEvents, type Event } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { isAborted } from '../../app/api-error.ts';
import { latestCursor, readEvents } from './read-events.ts';

/** The most events that the page keeps. */
const mostKept = 300;

interface LatestState {
  /** Newest first; undefined until they are read. */
  readonly events: readonly Event[] | undefined;
  /** Whether so many events are kept that only new ones are shown. */
  readonly isOnlyNew: boolean;
  readonly error: unknown;
}

/** Reads the latest events and follows new ones. The browser connects again by itself after a pause. */
export function useLatestEvents(turn: number): LatestState {
  const [state, setState] = useState<LatestState>({ events: undefined, isOnlyNew: false, error: undefined });
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    let source: EventSource | undefined;
    const follow = (cursor: string) => {
      source = new EventSource(`/v1/events?cursor=${encodeURIComponent(cursor)}`);
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const event = JSON.parse(data) as Event;
        setState((before) => {
          const known = before.events ?? [];
          if (known.some(({ id }) => id === event.id)) return before;
          return { ...before, events: [event, ...known].slice(0, mostKept) };
        });
      });
      source.addEventListener('error', () => {
        if (source!.readyState !== EventSource.CLOSED) return;
        // The stream does not say why it was refused. A page of the same list may.
        ask(listEvents({ query: { cursor: 'latest' }, signal })).then(
          () => setState((before) => ({ ...before, error: new Error('The stream was refused.') })),
          fail,
        );
      });
    };
    const fail = (error: unknown) => {
      if (!signal.aborted && !isAborted(error)) setState((before) => ({ ...before, error }));
    };
    const run = async () => {
      let kept: Event[] = [];
      const { cursor, isEnd } = await readEvents(signal, (events) => {
        kept = [...kept, ...events].slice(-mostKept);
      });
      const from = isEnd ? cursor! : await latestCursor(signal);
      if (signal.aborted) return;
      setState({ events: isEnd ? kept.reverse() : [], isOnlyNew: !isEnd, error: undefined });
      follow(from);
    };
    setState((before) => ({ ...before, error: undefined }));
    run().catch(fail);
    return () => {
      control.abort();
      source?.close();
    };
  }, [turn]);
  return state;
}
