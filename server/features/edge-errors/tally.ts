import { edgeErrorPrecisionMs, edgeMethodOf, type EdgeErrorCount } from './edge-error.ts';

/** The fields that identify a kind of errors. The path is normalised. `at` is any millisecond of its second. */
interface Kind {
  readonly at: number;
  readonly status: number;
  readonly method: string;
  readonly path: string;
}

/** Counts errors that are not stored yet, by kind, in the order in which the kinds first came. */
export class Tally {
  readonly #counts = new Map<string, EdgeErrorCount & { count: number }>();

  /** The number of kinds. */
  get size(): number {
    return this.#counts.size;
  }

  add(error: Kind, count = 1): void {
    const at = secondOf(error.at);
    const method = edgeMethodOf(error.method);
    const key = keyOf(error);
    const known = this.#counts.get(key);
    if (known) known.count += count;
    else this.#counts.set(key, { at, status: error.status, method, path: error.path, count });
  }

  has(error: Kind): boolean {
    return this.#counts.has(keyOf(error));
  }

  counts(): readonly EdgeErrorCount[] {
    return [...this.#counts.values()];
  }

  clear(): void {
    this.#counts.clear();
  }
}

function secondOf(at: number): number {
  return Math.floor(at / edgeErrorPrecisionMs) * edgeErrorPrecisionMs;
}

function keyOf({ at, status, method, path }: Kind): string {
  return `${secondOf(at)} ${status} ${edgeMethodOf(method)} ${path}`;
}
