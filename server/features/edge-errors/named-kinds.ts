import { edgeErrorPrecisionMs, edgeMethodOf, otherPath } from './edge-error.ts';

/** How many kinds (status, method and path) of one owner keep their path in one second, and in one minute. */
const maxOfSecond = 10;
const maxOfMinute = 60;

/** How many owners keep paths in one minute whose existence is unknown. */
const maxUnseenOwners = 10_000;

const minuteMs = 60_000;

/**
 * Decides which errors of Cubby's own doors keep their path. Anybody can send any number of paths, and paths are stored
 * for 400 days, so without these bounds a stranger could fill the disk. Counts by status and method stay exact.
 */
export class NamedKinds {
  #minute = -1;
  #second = -1;
  #ofMinute = new Map<string, Set<string>>();
  #ofSecond = new Map<string, number>();
  /** The kinds of all owners that keep their path in this second. */
  #named = new Set<string>();

  /**
   * Returns the path under which an error is counted: its own, or `__other__`.
   *
   * @param isSeen whether the owner is known to exist
   */
  pathOf(
    owner: string,
    isSeen: boolean,
    {
      at,
      status,
      method,
      path,
    }: { readonly at: number; readonly status: number; readonly method: string; readonly path: string },
  ): string {
    this.#goTo(at);
    const kind = `${status} ${edgeMethodOf(method)} ${path}`;
    const key = `${owner} ${kind}`;
    if (this.#named.has(key)) return path;
    const ofSecond = this.#ofSecond.get(owner) ?? 0;
    const ofMinute = this.#ofMinute.get(owner) ?? new Set();
    if (!isSeen && ofMinute.size === 0 && this.#ofMinute.size >= maxUnseenOwners) return otherPath;
    if (ofSecond >= maxOfSecond || (ofMinute.size >= maxOfMinute && !ofMinute.has(kind))) return otherPath;
    this.#ofMinute.set(owner, ofMinute.add(kind));
    this.#ofSecond.set(owner, ofSecond + 1);
    this.#named.add(key);
    return path;
  }

  #goTo(at: number): void {
    const second = Math.floor(at / edgeErrorPrecisionMs);
    const minute = Math.floor(at / minuteMs);
    if (second !== this.#second) {
      this.#ofSecond = new Map();
      this.#named = new Set();
    }
    if (minute !== this.#minute) this.#ofMinute = new Map();
    this.#second = second;
    this.#minute = minute;
  }
}
