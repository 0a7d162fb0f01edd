import { useEffect, useState } from 'preact/hooks';

/** Returns what was typed once the typing has rested, so that each letter causes no request. */
export function useRested(text: string, restMs = 350): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text, restMs]);
  return rested;
}
