import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { isAborted } from './api-error.ts';
import { retries } from './connection.ts';

/** Something that a screen loads. */
export interface Resource<T> {
  /** Undefined until it is loaded. It stays while it is loaded anew. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  reload(): void;
  /** Replaces the data, for example with the answer to a change. */
  set(data: T): void;
}

/**
 * Loads something when the component appears and whenever a key changes. The request is aborted when the component goes
 * away.
 */
export function useResource<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Resource<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown; isLoading: boolean }>({ isLoading: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const key = JSON.stringify(keys);
  const keyBefore = useRef(key);
  useEffect(() => {
    const control = new AbortController();
    const isOther = keyBefore.current !== key;
    keyBefore.current = key;
    setState((before) => (isOther ? { isLoading: true } : { ...before, isLoading: true }));
    latest.current(control.signal).then(
      (data) => !control.signal.aborted && setState({ data, isLoading: false }),
      (error: unknown) => {
        if (control.signal.aborted || isAborted(error)) return;
        setState((before) => ({ ...before, error, isLoading: false }));
      },
    );
    return () => control.abort();
  }, [key, turn, retries.value]);
  return {
    data: state.data,
    error: state.error,
    isLoading: state.isLoading,
    reload: useCallback(() => setTurn((before) => before + 1), []),
    set: useCallback((data: T) => setState({ data, isLoading: false }), []),
  };
}
