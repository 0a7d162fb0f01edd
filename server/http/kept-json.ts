/** An array or object that has begun. One that is skipped keeps nothing. */
type Container =
  | { readonly kept: unknown[] }
  | { readonly kept: Record<string, unknown> }
  | { readonly kept: undefined; readonly isArray: boolean };

/** What is kept of a JSON text: the containers around the place that is read, and the whole result. */
export class KeptJson {
  /** The kept value; undefined before its first byte. */
  result: unknown;
  /** The name of the member whose value comes next; undefined if the value is skipped. */
  name: string | undefined = '';
  readonly #containers: Container[] = [];

  /** How many containers are around the place. */
  get depth(): number {
    return this.#containers.length;
  }

  /** Whether the innermost container is an array. There is one. */
  get isInArray(): boolean {
    const inner = this.#containers.at(-1)!;
    return inner.kept === undefined ? inner.isArray : Array.isArray(inner.kept);
  }

  /** Whether the innermost container is kept. There is one. */
  get isInKept(): boolean {
    return this.#containers.at(-1)!.kept !== undefined;
  }

  /** Whether the next value is kept. */
  get isKept(): boolean {
    const inner = this.#containers.at(-1);
    if (inner === undefined) return true;
    return inner.kept !== undefined && (Array.isArray(inner.kept) || this.name !== undefined);
  }

  /** Begins an array or object within the innermost container. */
  open(isArray: boolean, isKept: boolean): void {
    const kept: unknown[] | Record<string, unknown> = isArray ? [] : {};
    if (isKept) this.put(kept);
    this.#containers.push(isKept ? ({ kept } as Container) : { kept: undefined, isArray });
  }

  close(): void {
    this.#containers.pop();
  }

  /** Adds a value to the innermost container, or makes it the result. */
  put(value: unknown): void {
    const inner = this.#containers.at(-1);
    if (inner === undefined) this.result = value;
    else if (Array.isArray(inner.kept)) inner.kept.push(value);
    else (inner.kept as Record<string, unknown>)[this.name!] = value;
  }
}
