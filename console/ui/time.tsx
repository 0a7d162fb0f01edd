import { formatExactTime, formatRelative, formatTime } from '../format.ts';

/** An instant. The exact time, with the time zone, is shown when the pointer rests on it. */
export function Time({ at, isRelative = false }: { readonly at: string; readonly isRelative?: boolean }) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {isRelative ? formatRelative(at) : formatTime(at)}
    </time>
  );
}
