import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import {
  afterScroll,
  elementHeight,
  inOrderOfElements,
  rowsInView,
  scrolledTo,
  type Scrolled,
} from './virtual-window.ts';

/** Scrolling has ended when nothing moved for so long. */
const restMs = 200;

export interface VirtualHandle {
  /** Scrolls as little as is needed to show a row. */
  show(index: number): void;
}

interface Drawn {
  readonly row: (index: number) => ComponentChildren;
  readonly base: number;
  readonly node: VNode;
}

/**
 * A list of rows of one height, of which only those in view are in the document. While it scrolls, a row that leaves
 * the view gives its element to one that enters it, and no other row is drawn again.
 */
export function VirtualList({
  count,
  rowHeight,
  row,
  onRange,
  handle,
  class: className = '',
  ...rest
}: {
  readonly count: number;
  readonly rowHeight: number;
  readonly row: (index: number) => ComponentChildren;
  /** Told which rows are drawn, whenever that changes. */
  readonly onRange?: (start: number, end: number) => void;
  readonly handle?: RefObject<VirtualHandle | null>;
  readonly class?: string;
  readonly [attribute: `aria-${string}`]: string | number | boolean | undefined;
  readonly role?: 'grid' | 'listbox' | 'list' | 'presentation';
}) {
  const { frame, position, rows, isResting, onScroll } = useScroll(count, rowHeight, handle);
  const { start, end } = rows;
  useEffect(() => onRange?.(start, end), [start, end, count]);

  const drawn = useRef(new Map<number, Drawn>());
  const firstElement = useRef(0);
  const size = Math.max(1, end - start);
  // Readers and the tab key follow the order of the document, so it is put right when the scrolling rests.
  if (isResting.current) firstElement.current = start % size;
  const { base } = position.current;
  drawn.current = drawnRows(drawn.current, inOrderOfElements(start, end, size, firstElement.current), {
    row,
    base,
    rowHeight,
    size,
  });
  return (
    <div
      {...rest}
      ref={frame}
      class={`virtual ${className}`}
      onScroll={({ currentTarget }) => onScroll(currentTarget.scrollTop)}
    >
      <div class="virtual-content" role="presentation" style={{ height: `${elementHeight(count * rowHeight)}px` }}>
        {[...drawn.current.values()].map(({ node }) => node)}
      </div>
    </div>
  );
}

/**
 * Returns the rows of these indexes, in their order, and draws only those that are not there.
 *
 * It is a function of its own because each event handler keeps the variables of the render that made it. With the rows
 * before among them, every render would keep the one before it, and so all rows that were ever seen.
 */
function drawnRows(
  before: ReadonlyMap<number, Drawn>,
  indexes: readonly number[],
  { row, base, rowHeight, size }: Pick<Drawn, 'row' | 'base'> & { readonly rowHeight: number; readonly size: number },
): Map<number, Drawn> {
  return new Map(
    indexes.map((index) => {
      const known = before.get(index);
      if (known?.row === row && known.base === base) return [index, known];
      const node = (
        <div
          key={index % size}
          data-index={index}
          class="virtual-row"
          role="presentation"
          style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight - base}px)` }}
        >
          {row(index)}
        </div>
      );
      return [index, { row, base, node }];
    }),
  );
}

/** Takes the focus out of a row that goes away. Its element will stand for another one, which nobody meant. */
function leaveRows(frame: HTMLElement, start: number, end: number): void {
  const { activeElement: focused } = document;
  if (!focused || focused === frame || !frame.contains(focused)) return;
  const index = Number(focused.closest<HTMLElement>('.virtual-row')?.dataset.index);
  if (index < start || index >= end) frame.closest<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
}

/** Follows the scrolling of the list, and returns which rows are in view. */
function useScroll(count: number, rowHeight: number, handle: RefObject<VirtualHandle | null> | undefined) {
  const frame = useRef<HTMLDivElement>(null);
  const position = useRef<Scrolled>({ scrollTop: 0, base: 0 });
  const [, draw] = useState(0);
  const redraw = () => draw((before) => before + 1);
  const frameHeight = useHeight(frame);
  const contentHeight = count * rowHeight;
  const sizes = { rowHeight, count, frameHeight };
  const rows = rowsInView(position.current, sizes);
  const isCapped = contentHeight > elementHeight(contentHeight);
  const moveTo = (next: Scrolled) => {
    position.current = next;
    frame.current!.scrollTop = next.scrollTop;
    redraw();
  };
  const correctBar = () => {
    const { scrollTop, base } = position.current;
    const next = scrolledTo(scrollTop + base, contentHeight, frameHeight);
    if (next.scrollTop !== scrollTop) moveTo(next);
  };
  // At the end of the element of a list that has grown nobody could scroll on.
  useLayoutEffect(() => {
    if (isCapped) correctBar();
  }, [contentHeight]);
  if (handle)
    handle.current = {
      show(index) {
        const top = position.current.scrollTop + position.current.base;
        const wanted = index * rowHeight;
        const real =
          wanted < top ? wanted : wanted + rowHeight > top + frameHeight ? wanted + rowHeight - frameHeight : top;
        if (real !== top) moveTo(scrolledTo(real, contentHeight, frameHeight));
      },
    };
  const { isResting, stir } = useRest(() => {
    // In a list that is higher than its element the scroll bar stands elsewhere after small steps.
    if (isCapped) correctBar();
    redraw();
  });
  const onScroll = (scrollTop: number) => {
    const before = position.current;
    if (before.scrollTop === scrollTop) return;
    position.current = afterScroll(before, scrollTop, contentHeight, frameHeight);
    stir();
    const next = rowsInView(position.current, sizes);
    if (next.start === rows.start && position.current.base === before.base) return;
    leaveRows(frame.current!, next.start, next.end);
    redraw();
  };
  return { frame, position, rows, isResting, onScroll };
}

function useHeight(frame: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setHeight(entry!.contentRect.height));
    watcher.observe(frame.current!);
    return () => watcher.disconnect();
  }, []);
  return height;
}

/** Calls `onRest` when nothing has stirred for a moment. */
function useRest(onRest: () => void) {
  const isResting = useRef(true);
  const latest = useRef(onRest);
  latest.current = onRest;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const stir = () => {
    isResting.current = false;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      isResting.current = true;
      latest.current();
    }, restMs);
  };
  return { isResting, stir };
}
