import type { RejectedField } from './rejected-field.ts';

/** So long a server does not get a field that it has rejected. It may be a newer version by then. */
const remembersMs = 10 * 60_000;

export interface RejectionOptions {
  /** Called when an answer came only without a field, which the server gets no more for now. Must not throw. */
  readonly onRejected?: ((field: RejectedField) => void) | undefined;
  /** Default: the time since the start of the process. */
  readonly nowMs?: () => number;
}

/** The fields that one server rejected lately. */
export class RememberedRejections {
  readonly #onRejected: (field: RejectedField) => void;
  readonly #nowMs: () => number;
  readonly #rejectedMs = new Map<RejectedField, number>();

  constructor({ onRejected, nowMs }: RejectionOptions = {}) {
    this.#onRejected = onRejected ?? (() => {});
    this.#nowMs = nowMs ?? (() => performance.now());
  }

  known(): RejectedField[] {
    const since = this.#nowMs() - remembersMs;
    for (const [field, ms] of this.#rejectedMs) if (ms <= since) this.#rejectedMs.delete(field);
    return [...this.#rejectedMs.keys()];
  }

  remember(field: RejectedField): void {
    if (!this.#rejectedMs.has(field)) this.#onRejected(field);
    this.#rejectedMs.set(field, this.#nowMs());
  }
}
