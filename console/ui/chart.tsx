import './chart.css';

import { useEffect, useRef, useState } from 'preact/hooks';

import { language, theme } from '../app/settings.ts';
import { messages } from '../app/messages.ts';
import { formatDay } from '../format.ts';
import type { DrawnChart, Drawing } from './draw-chart.ts';

/** One value a day. The value under the pointer, or chosen with the arrow keys, is written above it. */
export function Chart({
  label,
  days,
  values,
  format,
  kind,
  isSize = false,
}: { readonly label: string } & Omit<DrawnChart, 'onPoint'>) {
  const frame = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);
  const [index, setIndex] = useState<number>();
  const [hasFailed, setFailed] = useState(false);
  const look = useLook();
  useEffect(() => {
    let isCurrent = true;
    // The library is loaded only when there is something to draw.
    import('./draw-chart.ts').then(
      ({ drawChart }) => {
        if (!isCurrent || !frame.current) return;
        drawing.current = drawChart(frame.current, { days, values, format, kind, isSize, onPoint: setIndex });
      },
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
      drawing.current?.remove();
      drawing.current = undefined;
    };
  }, [days, values, kind, isSize, look]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(days.length - 1, index === undefined ? days.length - 1 : index + step));
    drawing.current?.point(next);
    setIndex(next);
  };
  const day = index === undefined ? undefined : days[index];
  const value = index === undefined ? undefined : values[index];
  if (hasFailed) return <p class="hint">{messages().common.notLoaded}</p>;
  return (
    <figure class="chart">
      <figcaption>
        <strong>{label}</strong>
        <span class="chart-value" role="status">
          {day !== undefined && `${formatDay(day)}: ${typeof value === 'number' ? format(value) : '–'}`}
        </span>
      </figcaption>
      <div ref={frame} class="chart-frame" role="img" aria-label={label} dir="ltr" tabIndex={0} onKeyDown={onKeyDown} />
    </figure>
  );
}

/** Returns a text that changes with the colors and the language, which a canvas does not follow by itself. */
function useLook(): string {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return `${theme.value} ${isDark} ${language.value}`;
}
