import { useEffect, useRef } from 'preact/hooks';

/** Calls something again and again while `isOn` and while the page is seen. */
export function usePolling(isOn: boolean, everyMs: number, poll: () => void): void {
  const latest = useRef(poll);
  latest.current = poll;
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [isOn, everyMs]);
}
