import { readdirSync, readFileSync } from 'node:fs';

import { expect } from 'vitest';

interface Usage {
  readonly residentBytes: number;
  readonly handles: number;
}

/** Memory may swing by this much between two collections. */
const swingBytes = 150 * 1_048_576;

/** Shows how far a long run is, and watches the memory and the handles of the server. Linux only. */
export class Progress {
  readonly #pid: number;
  readonly #total: number;
  readonly #startedAt = performance.now();
  readonly #usages: Usage[] = [];
  #endedAt: number | undefined;

  constructor(pid: number, total: number) {
    this.#pid = pid;
    this.#total = total;
  }

  /** Returns requests in a second, until now or until the run has ended. */
  rate(done: number): number {
    return Math.round(done / (((this.#endedAt ?? performance.now()) - this.#startedAt) / 1000));
  }

  /** Says what the server needed. */
  summary(): string {
    const [first, last] = [this.#usages[0], this.#usages.at(-1)];
    if (!first || !last) return 'The run was too short to watch memory and handles.';
    const megabytes = ({ residentBytes }: Usage) => Math.round(residentBytes / 1_048_576);
    const most = Math.max(...this.#usages.map(megabytes));
    return (
      `Memory of the server: ${megabytes(first)} MB after 1,000 requests, ${megabytes(last)} MB at the end, ${most} ` +
      `MB at most. Open handles: ${first.handles} and ${last.handles}.`
    );
  }

  /** The run has ended. */
  end(): void {
    this.#endedAt = performance.now();
  }

  print(done: number): void {
    const usage = this.#usage();
    this.#usages.push(usage);
    if (done % 5000 !== 0) return;
    const rate = this.rate(done);
    const minutes = Math.round((this.#total - done) / rate / 60);
    const memory = Math.round(usage.residentBytes / 1_048_576);
    console.log(
      `${done} of ${this.#total} requests, ${rate} a second, ${minutes} min left, ${memory} MB, ` +
        `${usage.handles} handles`,
    );
  }

  /** Fails if memory or handles have grown since the first quarter. Shorter runs only warm up. */
  expectFlat(): void {
    const quarter = Math.floor(this.#usages.length / 4);
    if (quarter < 10) return;
    const most = (usages: readonly Usage[], field: keyof Usage) => Math.max(...usages.map((usage) => usage[field]));
    const least = (usages: readonly Usage[], field: keyof Usage) => Math.min(...usages.map((usage) => usage[field]));
    const [first, last] = [this.#usages.slice(0, quarter), this.#usages.slice(-quarter)];
    expect(least(last, 'residentBytes')).toBeLessThan(most(first, 'residentBytes') + swingBytes);
    expect(least(last, 'handles')).toBeLessThanOrEqual(most(first, 'handles'));
  }

  #usage(): Usage {
    const pages = Number(readFileSync(`/proc/${this.#pid}/statm`, 'utf8').split(' ')[1]);
    return { residentBytes: pages * 4096, handles: readdirSync(`/proc/${this.#pid}/fd`).length };
  }
}
