import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { ApiError, isAborted } from '../../app/api-error.ts';
import { retries } from '../../app/connection.ts';
import { byName, type Entry } from './entry.ts';
import { ListingPages } from './listing-pages.ts';
import { loadPage, type Filter } from './load-page.ts';
import type { Place } from './place.ts';

/** A folder as it is shown. */
export interface Listing {
  /** Rows that are known so far. */
  readonly count: number;
  readonly isEnded: boolean;
  /** Whether the rows are in the order of their keys, because they are too many for the order of their names. */
  readonly isByKey: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
  at(index: number): Entry | undefined;
  loaded(): Entry[];
  /** Says which rows are in view, so that their pages are loaded. */
  see(start: number, end: number): void;
  reload(): void;
}

/** Lists a folder. Pages are loaded one after the other, as rows come into view. */
export function useListing(place: Place, filter: Filter): Listing {
  const [, draw] = useState(0);
  const [turn, setTurn] = useState(0);
  const [none] = useState(() => noneOf(filter));
  const state = useRef<Shown>(none);
  const seen = useRef<readonly [number, number]>([0, 1]);
  const run = useRef<() => void>(() => {});
  const key = JSON.stringify([place, filter]);
  const keyBefore = useRef(key);
  if (keyBefore.current !== key) {
    keyBefore.current = key;
    state.current = noneOf(filter);
    seen.current = [0, 1];
  }
  useEffect(() => {
    const control = new AbortController();
    const show = (next: Shown) => {
      state.current = next;
      draw((before) => before + 1);
    };
    const hasRows = () => state.current.pages.count > 0;
    run.current = pageLoader({ place, filter, seen, show, hasRows, signal: control.signal });
    run.current();
    return () => control.abort();
  }, [key, turn, retries.value]);
  const { pages, isLoading, error } = state.current;
  return {
    count: pages.count,
    isEnded: pages.isEnded,
    isByKey: filter.sort === 'name' && pages.count > 0 && !pages.isOrdered,
    isLoading,
    error,
    at: (index) => pages.at(index),
    loaded: () => pages.loaded(),
    see: useCallback((start: number, end: number) => {
      seen.current = [start, end];
      run.current();
    }, []),
    reload: useCallback(() => setTurn((before) => before + 1), []),
  };
}

interface Shown {
  readonly pages: ListingPages;
  isLoading: boolean;
  error: unknown;
}

/** Returns a list of which nothing is loaded yet. */
function noneOf({ sort, order }: Filter): Shown {
  return { pages: new ListingPages(sort === 'name' ? byName(order) : undefined), isLoading: true, error: undefined };
}

/** Returns a function that loads the pages of the rows in view that are missing. */
function pageLoader({
  place,
  filter,
  seen,
  show,
  hasRows,
  signal,
}: {
  readonly place: Place;
  readonly filter: Filter;
  readonly seen: { readonly current: readonly [number, number] };
  readonly show: (shown: Shown) => void;
  /** Whether rows are in view. */
  readonly hasRows: () => boolean;
  readonly signal: AbortSignal;
}): () => void {
  // A reload keeps the old rows in view until the new ones are there.
  let own: Shown = { ...noneOf(filter), isLoading: false };
  const load = async () => {
    const { error } = own;
    own.error = undefined;
    let isChanged = error !== undefined;
    for (;;) {
      const page = own.pages.missingFor(...seen.current) ?? own.pages.nextToOrder;
      if (page === undefined || signal.aborted) break;
      own.isLoading = true;
      const loaded = await loadPage(place, filter, own.pages.cursorOf(page), signal);
      if (signal.aborted) return;
      own.pages.put(page, loaded);
      isChanged = true;
      // Rows that still change their places are shown only if there are no others.
      if (own.pages.nextToOrder === undefined || !hasRows()) show(own);
    }
    own.isLoading = false;
    // Most calls come from scrolling among rows that are there.
    if (isChanged) show(own);
  };
  const start = () => {
    if (own.isLoading) return;
    load().catch((error: unknown) => {
      if (signal.aborted || isAborted(error)) return;
      own.isLoading = false;
      const waitSeconds =
        error instanceof ApiError && error.code === 'RATE_LIMITED' ? error.retryAfterSeconds : undefined;
      if (waitSeconds !== undefined) setTimeout(() => !signal.aborted && start(), waitSeconds * 1000);
      own = { ...own, error };
      show(own);
    });
  };
  return start;
}
