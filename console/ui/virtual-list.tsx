import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { afterScroll, elementHeight, rowsInView, scrolledTo, type Scrolled } from './virtual-window.ts';

export interface VirtualHandle {
  /** Scrolls as little as is needed to show a row. */
  show(index: number): void;
}

/** A list of rows of one height, of which only those in view are in the document. */
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
  const frame = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState<Scrolled>({ scrollTop: 0, base: 0 });
  const [frameHeight, setFrameHeight] = useState(600);
  const contentHeight = count * rowHeight;
  const { start, end } = rowsInView(scrolled, { rowHeight, count, frameHeight });
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setFrameHeight(entry!.contentRect.height));
    watcher.observe(frame.current!);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => onRange?.(start, end), [start, end, count]);
  const isCapped = contentHeight > elementHeight(contentHeight);
  const correctBar = () => {
    const next = scrolledTo(scrolled.scrollTop + scrolled.base, contentHeight, frameHeight);
    if (next.scrollTop === scrolled.scrollTop) return;
    setScrolled(next);
    frame.current!.scrollTop = next.scrollTop;
  };
  // In a list that is higher than its element the scroll bar is corrected once the scrolling rests, and at once when the
  // list grows: at the end of the element nobody could scroll on.
  useEffect(() => {
    if (!isCapped) return undefined;
    const timer = setTimeout(correctBar, 200);
    return () => clearTimeout(timer);
  }, [scrolled, isCapped]);
  useLayoutEffect(() => {
    if (isCapped) correctBar();
  }, [contentHeight]);
  if (handle)
    handle.current = {
      show(index) {
        const top = scrolled.scrollTop + scrolled.base;
        const wanted = index * rowHeight;
        const real =
          wanted < top ? wanted : wanted + rowHeight > top + frameHeight ? wanted + rowHeight - frameHeight : top;
        if (real === top) return;
        const next = scrolledTo(real, contentHeight, frameHeight);
        setScrolled(next);
        frame.current!.scrollTop = next.scrollTop;
      },
    };
  const rows = [];
  for (let index = start; index < end; index++)
    rows.push(
      <div
        key={index}
        class="virtual-row"
        role="presentation"
        style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight - scrolled.base}px)` }}
      >
        {row(index)}
      </div>,
    );
  return (
    <div
      {...rest}
      ref={frame}
      class={`virtual ${className}`}
      onScroll={({ currentTarget: { scrollTop } }) =>
        setScrolled((before) =>
          before.scrollTop === scrollTop ? before : afterScroll(before, scrollTop, contentHeight, frameHeight),
        )
      }
    >
      <div class="virtual-content" role="presentation" style={{ height: `${elementHeight(contentHeight)}px` }}>
        {rows}
      </div>
    </div>
  );
}
