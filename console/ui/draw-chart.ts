import 'uplot/dist/uPlot.min.css';

import UPlot, { type Axis, type Options } from 'uplot';

import { formatDay } from '../format.ts';

/** What a chart shows. */
export interface DrawnChart {
  /** Days in UTC, as `2026-04-21`, in their order. */
  readonly days: readonly string[];
  /** A value for each day; null where there is none. */
  readonly values: ReadonlyArray<number | null>;
  readonly format: (value: number) => string;
  /** Bars for amounts of a day, a line for a level. */
  readonly kind: 'bars' | 'line';
  /** Whether values are sizes, whose scale has steps of powers of 2. */
  readonly isSize?: boolean;
  /** Told the place of the value under the pointer. */
  readonly onPoint: (index: number | undefined) => void;
}

/** A chart in the page. */
export interface Drawing {
  /** Marks the value of a day, by its number in the list. */
  point(index: number): void;
  remove(): void;
}

const height = 220;
/** 1, 2, 4 … bytes. */
const sizeSteps = Array.from({ length: 61 }, (_, power) => 2 ** power);
const daySeconds = 86_400;
const daySteps = [1, 2, 3, 7, 14, 28, 56, 91, 182, 364].map((days) => days * daySeconds);

/** Draws a chart into an element, as wide as it is. */
export function drawChart(
  frame: HTMLElement,
  { days, values, format, kind, isSize = false, onPoint }: DrawnChart,
): Drawing {
  const style = getComputedStyle(document.documentElement);
  const [ink, hair, accent, ground] = ['--quiet', '--hair', '--icon', '--sheet'].map((name) =>
    style.getPropertyValue(name).trim(),
  ) as [string, string, string, string];
  const places = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
  // uPlot would add years to a single day.
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const options: Options = {
    width: frame.clientWidth,
    height,
    legend: { show: false },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false }, points: { fill: accent, stroke: ground, size: 9 } },
    scales: {
      // Half a day on either side, so that the bars at the ends are whole.
      x: {
        range: () =>
          kind === 'line' && days.length > 1 ? [first, last] : [first - daySeconds / 2, last + daySeconds / 2],
      },
      y: { range: (_chart, _least, most) => [0, most > 0 ? most * 1.08 : 1] },
    },
    axes: axesOf({ format, isSize }, ink, hair),
    series: [
      {},
      {
        stroke: accent,
        width: kind === 'bars' ? 0 : 2,
        fill: kind === 'bars' ? accent : `color-mix(in srgb, ${accent} 14%, transparent)`,
        points: { show: kind === 'line' && days.length === 1 },
        ...(kind === 'bars' && { paths: UPlot.paths.bars!({ size: [0.7, 40] }) }),
      },
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
  };
  const chart = new UPlot(options, [places, [...values]], frame);
  const watcher = new ResizeObserver(() => chart.setSize({ width: frame.clientWidth, height }));
  watcher.observe(frame);
  return {
    point: (index) =>
      chart.setCursor({ left: chart.valToPos(places[index]!, 'x'), top: chart.valToPos(values[index] ?? 0, 'y') }),
    remove() {
      watcher.disconnect();
      chart.destroy();
    },
  };
}

function axesOf({ format, isSize }: Pick<DrawnChart, 'format' | 'isSize'>, ink: string, hair: string): Axis[] {
  const common = { stroke: ink, font: '12px system-ui, sans-serif', ticks: { show: false } };
  return [
    {
      ...common,
      grid: { show: false },
      incrs: daySteps,
      space: 64,
      size: 28,
      values: (_chart, places) => places.map((seconds) => formatDay(seconds * 1000, 'short')),
    },
    {
      ...common,
      grid: { stroke: hair, width: 1 },
      ...(isSize && { incrs: sizeSteps }),
      values: (_chart, places) => places.map(format),
      size: (_chart, texts) => 20 + 6.5 * Math.max(3, ...(texts ?? []).map((text) => text.length)),
    },
  ];
}
