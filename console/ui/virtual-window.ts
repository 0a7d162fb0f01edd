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
  if (!isJump && !isAtEdge) {
    const real = scrollTop + before.base;
    const inside = clamp(real, 0, contentHeight - frameHeight);
    // The same number as before, so that rows that stay are not drawn again.
    return { scrollTop, base: real === inside ? before.base : inside - scrollTop };
  }
  return { scrollTop, base: (clamp(scrollTop, 0, most) / most) * (contentHeight - frameHeight) - scrollTop };
}

/** Returns the position that shows a place of the list, and the `scrollTop` for it. */
export function scrolledTo(real: number, contentHeight: number, frameHeight: number): Scrolled {
  const wanted = clamp(real, 0, Math.max(0, contentHeight - frameHeight));
  if (contentHeight <= mostHeightPx) return { scrollTop: wanted, base: 0 };
  const scrollTop = Math.round((wanted / (contentHeight - frameHeight)) * (mostHeightPx - frameHeight));
  return { scrollTop, base: wanted - scrollTop };
}

/**
 * Returns the rows to draw: those in view and `extra` more above and below. `end` is exclusive. Their number does not
 * depend on the position, so that an element can show another row later.
 */
export function rowsInView(
  { scrollTop, base }: Scrolled,
  {
    rowHeight,
    count,
    frameHeight,
    extra = 8,
  }: { rowHeight: number; count: number; frameHeight: number; extra?: number },
): { readonly start: number; readonly end: number } {
  const drawn = Math.ceil(frameHeight / rowHeight) + 2 * extra;
  const first = Math.floor((scrollTop + base) / rowHeight);
  const start = clamp(first - extra, 0, Math.max(0, count - drawn));
  return { start, end: Math.min(count, start + drawn) };
}

/**
 * Returns the rows in the order of their elements. Row `index` has the element `index % size`, and the elements keep
 * their order as long as `first` is the same.
 *
 * @param size elements, at least as many as rows
 * @param first the element at the beginning of the order
 */
export function inOrderOfElements(start: number, end: number, size: number, first: number): number[] {
  const rows: number[] = [];
  for (let step = 0; step < size; step++) {
    const element = (first + step) % size;
    const index = start + ((element - (start % size) + size) % size);
    if (index < end) rows.push(index);
  }
  return rows;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
