import type { Entry } from './entry.ts';

/** One loaded page. */
export interface LoadedPage {
  readonly entries: readonly Entry[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** This many pages keep their rows. Of all others only the cursors and the number of rows are kept. */
const keptPages = 20;

/** A list of at most so many rows and pages is put into an order of its own, once all of it is there. */
const mostOrdered = { rows: 5000, pages: 6 };

/**
 * The pages of a list, however long it is. Every page that was seen can be loaded again by its cursor, so rows that
 * were not looked at for long are dropped.
 */
export class ListingPages {
  /** In the order of their use, the last one used last. */
  readonly #pages = new Map<number, readonly Entry[]>();
  readonly #cursors: Array<string | undefined> = [undefined];
  /** Where each page begins, and one more: where the last known one ends. */
  readonly #starts: number[] = [0];
  #isEnded = false;
  readonly #compare: ((one: Entry, other: Entry) => number) | undefined;
  /** All rows in the order of `compare`. */
  #ordered: readonly Entry[] | undefined;

  /** @param compare the order of a list that is not too long. Default: that in which the server lists */
  constructor(compare?: (one: Entry, other: Entry) => number) {
    this.#compare = compare;
  }

  /** The number of rows that are known so far. */
  get count(): number {
    return this.#ordered?.length ?? this.#end;
  }

  /** Whether the rows are in the order of `compare`. */
  get isOrdered(): boolean {
    return this.#ordered !== undefined;
  }

  /** The page that has to be loaded before the rows can be put in order; undefined if they are, or are too many. */
  get nextToOrder(): number | undefined {
    const isShort = this.nextPage < mostOrdered.pages && this.#end < mostOrdered.rows;
    return this.#compare && !this.#isEnded && isShort ? this.nextPage : undefined;
  }

  get #end(): number {
    return this.#starts.at(-1)!;
  }

  /** Whether the last page is known. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The number of the page that comes after the known ones. */
  get nextPage(): number {
    return this.#starts.length - 1;
  }

  /** @throws if the page before it was never loaded */
  cursorOf(page: number): string | undefined {
    if (page >= this.#cursors.length) throw new Error(`Page ${page} has no cursor yet.`);
    return this.#cursors[page];
  }

  at(index: number): Entry | undefined {
    if (this.#ordered) return this.#ordered[index];
    const page = this.#pageOf(index);
    return page === undefined ? undefined : this.#pages.get(page)?.[index - this.#starts[page]!];
  }

  /** Returns the first page that has to be loaded, so that a range of rows can be shown; undefined if none. */
  missingFor(start: number, end: number): number | undefined {
    if (this.#ordered) return undefined;
    const last = this.#pageOf(Math.min(end, this.count) - 1) ?? -1;
    for (let page = this.#pageOf(start) ?? last + 1; page <= last; page++) {
      const rows = this.#pages.get(page);
      if (!rows) return page;
      // It counts as used.
      this.#pages.delete(page);
      this.#pages.set(page, rows);
    }
    return end >= this.count && !this.#isEnded ? this.nextPage : undefined;
  }

  /** Takes in a page. One that has more or fewer rows than before moves those after it. */
  put(page: number, { entries, next }: LoadedPage): void {
    this.#pages.delete(page);
    this.#pages.set(page, entries);
    const moved = entries.length - ((this.#starts[page + 1] ?? this.#starts[page]!) - this.#starts[page]!);
    if (page === this.nextPage) {
      this.#starts.push(this.#end + entries.length);
      this.#isEnded = next === undefined;
      if (next !== undefined) this.#cursors.push(next);
    } else if (moved !== 0)
      for (let later = page + 1; later < this.#starts.length; later++) this.#starts[later]! += moved;
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= keptPages) break;
      this.#pages.delete(old);
    }
    const isShort = this.nextPage <= mostOrdered.pages && this.#end <= mostOrdered.rows;
    if (this.#compare && this.#isEnded && isShort) this.#ordered = this.#inOrder(this.#compare);
  }

  /** A folder may be on two pages. */
  #inOrder(compare: (one: Entry, other: Entry) => number): readonly Entry[] {
    const byKey = new Map([...this.#pages.values()].flat().map((entry) => [entry.key, entry]));
    return [...byKey.values()].sort(compare);
  }

  /** Returns all rows that are in memory. */
  loaded(): Entry[] {
    if (this.#ordered) return [...this.#ordered];
    return [...this.#pages].toSorted(([a], [b]) => a - b).flatMap(([, entries]) => entries);
  }

  /** Returns the page of a row, by halving. */
  #pageOf(index: number): number | undefined {
    if (index < 0 || index >= this.#end) return undefined;
    let low = 0;
    let high = this.#starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= index) low = middle;
      else high = middle;
    }
    return low;
  }
}
