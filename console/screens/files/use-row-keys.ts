import { useRef } from 'preact/hooks';

import { navigate, route } from '../../app/router.ts';
import { above, hrefOf, placeOf } from './place.ts';
import type { RowsProps } from './rows-props.ts';

/**
 * Returns the listener of keys for the list or the grid. The frame has the focus, and `current` is the row that it
 * means.
 *
 * @param columns rows of the list that stand beside each other
 */
export function useRowKeys(props: RowsProps, columns: number) {
  const { listing, selection, current, setCurrent, open, actions, handle } = props;
  /** Where a range that is chosen with shift begins. */
  const anchor = useRef(current);
  const isTurned = document.dir === 'rtl';
  const go = (to: number, event: KeyboardEvent) => {
    const next = Math.max(0, Math.min(listing.count - 1, to));
    setCurrent(next);
    handle.current?.show(Math.floor(next / columns));
    if (!event.shiftKey) {
      anchor.current = next;
      return;
    }
    const [start, end] = [Math.min(anchor.current, next), Math.max(anchor.current, next)];
    selection.only(
      Array.from({ length: end - start + 1 }, (_, step) => listing.at(start + step)).filter((one) => one !== undefined),
    );
  };
  return (event: KeyboardEvent) => {
    const entry = listing.at(current);
    const chosen = selection.size > 0 ? selection.entries : entry ? [entry] : [];
    const side = columns > 1 ? 1 : 0;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(current + columns, event),
      ArrowUp: () => go(current - columns, event),
      ...(side === 1 && {
        ArrowRight: () => go(current + (isTurned ? -1 : 1), event),
        ArrowLeft: () => go(current - (isTurned ? -1 : 1), event),
      }),
      PageDown: () => go(current + 10 * columns, event),
      PageUp: () => go(current - 10 * columns, event),
      Home: () => go(0, event),
      End: () => go(listing.count - 1, event),
      ' ': () => entry && selection.toggle(entry),
      Enter: () => entry && open(entry),
      Delete: () => void (chosen.length > 0 && actions.remove(chosen)),
      F2: () => void (entry && actions.rename(entry)),
      ContextMenu: () => document.querySelector<HTMLButtonElement>(`#row-${current} .menu-button button`)?.click(),
      Escape: () => selection.clear(),
      Backspace: () => {
        const up = above(placeOf(route.peek().rest));
        if (up) navigate(hrefOf(up));
      },
    };
    const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a';
    if (!isAll && (event.ctrlKey || event.metaKey || event.altKey)) return;
    const act = isAll ? () => selection.only(listing.loaded()) : keys[event.key];
    // Buttons and boxes within a row have keys of their own.
    if (!act || (event.target !== event.currentTarget && (event.key === ' ' || event.key === 'Enter'))) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}
