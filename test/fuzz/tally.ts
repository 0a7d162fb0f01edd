import type { Step } from './episode.ts';
import { isSuccess } from './judge/success.ts';

interface Counts {
  requests: number;
  valid: number;
  /** Valid requests that did what the operation is for. */
  succeeded: number;
  broken: number;
  /** Broken requests that were accepted, for instance because what was added is ignored. */
  accepted: number;
  readonly statuses: Map<number | 'none', number>;
  /** The codes of refused valid requests. */
  readonly refusals: Map<string, number>;
}

/** Counts what was sent and answered, by operation. */
export class Tally {
  readonly operations = new Map<string, Counts>();
  readonly broken = new Map<string, number>();
  requests = 0;

  add({ request, heard }: Step): void {
    this.requests++;
    const counts = this.#of(request.operation);
    const status = heard.answer?.status ?? 'none';
    counts.requests++;
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    const isDone = status !== 'none' && isSuccess(request.operation, status, heard.answer!.body);
    if (request.broken !== undefined) {
      counts.broken++;
      if (isDone) counts.accepted++;
      const kind = request.broken.split(':', 1)[0]!;
      this.broken.set(kind, (this.broken.get(kind) ?? 0) + 1);
      return;
    }
    counts.valid++;
    if (isDone) counts.succeeded++;
    else {
      const code = codeOf(heard.answer?.body.toString('latin1', 0, 1500) ?? '');
      const what = `${status} ${code}`;
      counts.refusals.set(what, (counts.refusals.get(what) ?? 0) + 1);
    }
  }

  #of(operation: string): Counts {
    let counts = this.operations.get(operation);
    if (!counts) {
      counts = {
        requests: 0,
        valid: 0,
        succeeded: 0,
        broken: 0,
        accepted: 0,
        statuses: new Map(),
        refusals: new Map(),
      };
      this.operations.set(operation, counts);
    }
    return counts;
  }

  /** Returns a table in Markdown. */
  table(): string {
    const rows = [...this.operations]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([id, counts]) => {
        const statuses = [2, 3, 4, 5].map((first) => statusesFrom(counts, first));
        const share = counts.valid === 0 ? '–' : `${((100 * counts.succeeded) / counts.valid).toFixed(0)} %`;
        return (
          `| ${id} | ${counts.requests} | ${counts.valid} | ${counts.succeeded} | ${share} | ${counts.broken} | ` +
          `${counts.accepted} | ${statuses.join(' | ')} |`
        );
      });
    return [
      '| operation | requests | valid | succeeded | share | broken | of them accepted | 2xx | 3xx | 4xx | 5xx |',
      '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
      ...rows,
    ].join('\n');
  }
}

/** Returns how many responses had a status of a class, by its first digit. */
function statusesFrom({ statuses }: Counts, first: number): number {
  return [...statuses].reduce((sum, [status, count]) => (String(status).startsWith(`${first}`) ? sum + count : sum), 0);
}

function codeOf(text: string): string {
  return (
    /"code":"([^"]+)"/.exec(text)?.[1] ??
    /<Code>([^<]+)/.exec(text)?.[1] ??
    /"error":"([^"]+)"/.exec(text)?.[1] ??
    text.slice(0, 40).replaceAll(/\s+/g, ' ')
  );
}
