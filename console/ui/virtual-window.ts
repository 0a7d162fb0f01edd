/** Browsers cut off elements that are much higher. The rows of longer lists move within an element of this height. */
const mostHeightPx = 8_000_000;

/** The part of a long list that is in view. All lengths are in pixels. */
export interface Scrolled {
  /** The `scrollTop` of the frame. */
  readonly scrollTop: number;
  /** The distance from the real beginning of the list to the beginning of its element. 0 in lists that fit. */
  readonly base: number;
}

/** The height of the element that stands for all rows. */
export function elementHeight(contentHeight: number): number {
  return Math.min(contentHeight, mostHeightPx);
}

/**
 * Returns the position after a scroll. Small steps move the rows by as many pixels, also in a list that is higher than
 * its element. A large one, as with the scroll bar, goes to the same share of the list.
 */
export function afterScroll(before: Scrolled, scrollTop: number, contentHeight: number, frameHeight: number): Scrolled {
  if (contentHeight <= mostHeightPx) return { scrollTop, base: 0 };
  const most = mostHeightPx - frameHeight;
  const isJump = Math.abs(scrollTop - before.scrollTop) > frameHeight * 3;
  const isAtEdge = scrollTop <= 0 || scrollTop >= most;
  const real = isJump || isAtEdge ? (scrollTop / most) * (contentHeight - frameHeight) : scrollTop + before.base;
  return { scrollTop, base: clamp(real, 0, contentHeight - frameHeight) - scrollTop };
}

/** Returns the position that shows a place of the list, and the `scrollTop` for it. */
export function scrolledTo(real: number, contentHeight: number, frameHeight: number): Scrolled {
  const wanted = clamp(real, 0, Math.max(0, contentHeight - frameHeight));
  if (contentHeight <= mostHeightPx) return { scrollTop: wanted, base: 0 };
  const scrollTop = Math.round((wanted / (contentHeight - frameHeight)) * (mostHeightPx - frameHeight));
  return { scrollTop, base: wanted - scrollTop };
}

/** Returns the rows to draw: those in view and `extra` more above and below. `end` is exclusive. */
export function rowsInView(
  { scrollTop, base }: Scrolled,
  {
    rowHeight,
    count,
    frameHeight,
    extra = 8,
  }: { rowHeight: number; count: number; frameHeight: number; extra?: number },
): { readonly start: number; readonly end: number } {
  const first = Math.floor((scrollTop + base) / rowHeight);
  return {
    start: clamp(first - extra, 0, count),
    end: clamp(first + Math.ceil(frameHeight / rowHeight) + extra, 0, count),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
