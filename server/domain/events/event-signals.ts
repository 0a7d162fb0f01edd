import { overTransactions } from '../ports/decorated.ts';
import type { Metadata } from '../ports/metadata.ts';

type Listener = (accountId: string) => void;

/**
 * Tells parts of this process about new events, so that they need not look for them all the time. Events of other
 * processes are not signalled, so a listener has to poll as well.
 */
export interface EventSignals {
  /** Calls the listener after each commit that added events to an account. Returns a function that ends this. */
  listen(listener: Listener): () => void;
}

/** Returns the same store, which signals the events that it commits. */
export function signallingEvents(metadata: Metadata): { readonly metadata: Metadata; readonly signals: EventSignals } {
  const listeners = new Set<Listener>();
  const signals: EventSignals = {
    listen(listener) {
      // A new function for each call, so the same listener can be added twice.
      const own: Listener = (accountId) => listener(accountId);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
  const signalling = overTransactions(metadata, (tx) => {
    const { events } = tx;
    return {
      events: {
        ...events,
        async add(event, at) {
          tx.afterCommit(() => {
            for (const listener of listeners) listener(event.accountId);
          });
          return events.add(event, at);
        },
      },
    };
  });
  return { metadata: signalling, signals };
}
