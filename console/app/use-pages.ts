import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { isAborted } from './api-error.ts';
import { retries } from './connection.ts';

/** One page of a list, and the cursor of the next one. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** A list that is read page by page. */
export interface Pages<T> {
  /** All items so far; undefined until the first page is there. */
  readonly items: readonly T[] | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  more(): void;
  reload(): void;
}

/** Reads the first page when the component appears or a key changes, and further ones when `more()` is called. */
export function usePages<T>(
  load: (after: { readonly cursor?: string }, signal: AbortSignal) => Promise<Page<T>>,
  keys: readonly unknown[],
): Pages<T> {
  interface State {
    readonly items?: readonly T[];
    readonly next?: string | undefined;
    readonly error?: unknown;
    readonly isLoading: boolean;
  }
  const [state, setState] = useState<State>({ isLoading: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const control = useRef<AbortController>(undefined);
  const read = useCallback((cursor: string | undefined, earlier: readonly T[]) => {
    control.current?.abort();
    const own = (control.current = new AbortController());
    setState((before) => ({ ...before, error: undefined, isLoading: true }));
    latest.current(cursor === undefined ? {} : { cursor }, own.signal).then(
      ({ items, next }) => !own.signal.aborted && setState({ items: [...earlier, ...items], next, isLoading: false }),
      (error: unknown) => {
        if (!own.signal.aborted && !isAborted(error)) setState((before) => ({ ...before, error, isLoading: false }));
      },
    );
  }, []);
  const key = JSON.stringify(keys);
  const keyBefore = useRef(key);
  useEffect(() => {
    if (keyBefore.current !== key) setState({ isLoading: true });
    keyBefore.current = key;
    read(undefined, []);
    return () => control.current?.abort();
  }, [key, turn, retries.value, read]);
  return {
    items: state.items,
    error: state.error,
    isLoading: state.isLoading,
    hasMore: state.next !== undefined,
    more: () => {
      if (!state.isLoading && state.next !== undefined) read(state.next, state.items ?? []);
    },
    reload: useCallback(() => setTurn((before) => before + 1), []),
  };
}
