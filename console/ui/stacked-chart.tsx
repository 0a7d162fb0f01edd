import 'uplot/dist/uPlot.min.css';

import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';

import { language, theme, timeZone } from '../app/settings.ts';
import { formatNumber, formatTime } from '../format.ts';
import { stacked } from './stacked.ts';
import { timeMarks } from './time-marks.ts';

interface ChartSeries {
  readonly label: string;
  /** A color of CSS, which may name a custom property of the theme. */
  readonly color: string;
  readonly values: readonly number[];
}

interface Columns {
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly height?: number;
}

/**
 * Columns over time, one series upon the other. What the pointer rests on is said below. A table beside the chart says
 * the same to those who do not see it.
 *
 * @param times seconds since the epoch, as many as each series has values
 */
export function StackedChart({ label, times, series, height = 220 }: { readonly label: string } & Columns) {
  const frame = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<number | null>(null);
  const key = JSON.stringify([times, series.map(({ values }) => values), theme.value, language.value, timeZone.value]);
  useEffect(() => {
    let plot: uPlot | undefined;
    let isCurrent = true;
    const element = frame.current!;
    const watcher = new ResizeObserver(([entry]) =>
      plot?.setSize({ width: Math.floor(entry!.contentRect.width), height }),
    );
    void import('uplot').then(({ default: Plot }) => {
      if (!isCurrent) return;
      plot = drawColumns(Plot, element, { times, series, height, onPlace: setPlace });
      watcher.observe(element);
    });
    return () => {
      isCurrent = false;
      watcher.disconnect();
      plot?.destroy();
    };
  }, [key, height]);
  const shown = place !== null && times[place] !== undefined ? place : undefined;
  return (
    <figure class="stacked-chart">
      <div ref={frame} role="img" aria-label={label} style={{ minHeight: `${height}px` }} />
      <figcaption>
        {shown !== undefined && <span class="quiet">{formatTime(times[shown]! * 1000)}</span>}
        {series.map(({ label: name, color, values }) => (
          <span key={name} class="chart-key">
            <span class="chart-color" style={{ background: color }} />
            {name}
            {shown !== undefined && <strong>{formatNumber(values[shown] ?? 0)}</strong>}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** A canvas does not read custom properties, so an element resolves the color. */
function resolvedColor(parent: HTMLElement, color: string): string {
  const probe = document.createElement('span');
  probe.style.color = color;
  parent.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function drawColumns(
  Plot: typeof uPlot,
  element: HTMLElement,
  { times, series, height, onPlace }: Required<Columns> & { readonly onPlace: (place: number | null) => void },
): uPlot {
  const colorOf = (text: string) => resolvedColor(element, text);
  const axis = {
    stroke: colorOf('var(--quiet)'),
    grid: { stroke: colorOf('var(--hair)'), width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(element).fontFamily}`,
  };
  const columns = Plot.paths.bars!({ size: [0.8, 40], align: 1 });
  return new Plot(
    {
      width: Math.floor(element.clientWidth),
      ...(timeZone.value !== undefined && {
        tzDate: (seconds: number) => Plot.tzDate(new Date(seconds * 1000), timeZone.value!),
      }),
      height,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false } },
      scales: { y: { range: (_plot, _least, most) => [0, Math.max(4, most * 1.1)] } },
      axes: [
        {
          ...axis,
          space: 80,
          values: (_plot, marks, _axis, _space, step) => timeMarks(marks, step, language.value, timeZone.value),
        },
        {
          ...axis,
          size: 48,
          values: (_plot, marks) => marks.map((mark) => (mark % 1 === 0 ? formatNumber(mark) : '')),
        },
      ],
      series: [
        {},
        ...series.map(({ label: name, color }) => ({
          label: name,
          fill: colorOf(color),
          stroke: colorOf(color),
          width: 0,
          paths: columns,
          points: { show: false },
        })),
      ],
      hooks: { setCursor: [({ cursor }) => onPlace(cursor.idx ?? null)] },
    },
    [[...times], ...stacked(series.map(({ values }) => values))],
    element,
  );
}
