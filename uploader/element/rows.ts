import { isUnfinished, takeOut, type Item } from './queue.ts';
import { makeRow, type Row, type RowOptions } from './row.ts';

/** The most rows in the page. Further files are only counted. */
const mostRows = 100;
/** The most failed rows that stay while other files wait for a row. */
const mostFailed = 50;

/** The rows of the list. A hundred rows are enough for thousands of files. */
export interface Rows {
  /** The number of items without a row. */
  readonly hidden: number;
  add(item: Item): void;
  showState(item: Item): void;
  showProgress(item: Item): void;
  /** Removes a row. If it had the focus, its neighbour gets it. Returns false when there is no neighbour to focus. */
  remove(item: Item): boolean;
  /** Shows all rows again, after a change of language. */
  refresh(): void;
}

export function makeRows(list: HTMLElement, options: RowOptions): Rows {
  const rows = new Map<Item, Row>();
  const later: Item[] = [];
  /** Items that had a row and lost it. */
  let dropped = 0;
  let failed = 0;

  const show = (item: Item) => {
    const row = makeRow(item, options);
    rows.set(item, row);
    list.append(row.element);
  };
  const fill = () => {
    while (rows.size < mostRows && later.length > 0) show(later.shift()!);
  };
  const take = (item: Item, row: Row) => {
    rows.delete(item);
    row.element.remove();
    fill();
  };
  /** Removes a finished row if other items wait for one. */
  const freeRow = (item: Item, row: Row) => {
    if (later.length === 0 || hasFocus(row)) return;
    if (item.state === 'failed' && failed++ < mostFailed) return;
    if (isUnfinished(item)) return;
    dropped++;
    take(item, row);
  };
  return {
    get hidden() {
      return later.length + dropped;
    },
    add(item) {
      if (rows.size < mostRows) show(item);
      else later.push(item);
    },
    showState(item) {
      const row = rows.get(item);
      row?.showState();
      if (row) freeRow(item, row);
    },
    showProgress: (item) => rows.get(item)?.showProgress(),
    remove(item) {
      const row = rows.get(item);
      if (!row) {
        if (!takeOut(later, item)) dropped--;
        return true;
      }
      const isFocused = hasFocus(row);
      const neighbour = row.element.nextElementSibling ?? row.element.previousElementSibling;
      take(item, row);
      if (!isFocused) return true;
      return focusOn([...rows.values()].find(({ element }) => element === neighbour));
    },
    refresh() {
      for (const row of rows.values()) row.showState();
    },
  };
}

function hasFocus({ element }: Row): boolean {
  return element.contains((element.getRootNode() as ShadowRoot).activeElement);
}

function focusOn(row: Row | undefined): boolean {
  row?.focus();
  return row !== undefined;
}
