import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import type { FuzzResult } from './fuzz-run.ts';
import type { Progress } from './progress.ts';

const path = join(import.meta.dirname, 'REPORT.md');
const heading = '## Figures\n';

interface Figures {
  readonly seed: number;
  readonly result: FuzzResult;
  readonly progress: Progress;
  /** The longest time without a turn of the event loop. */
  readonly computedMs: number;
}

/** Writes the figures of a run into REPORT.md, in place of the ones before. */
export function writeFigures({ seed, result: { tally, found }, progress, computedMs }: Figures): void {
  const [text = ''] = readFileSync(path, 'utf8').split(heading);
  const [single, several] = brokenParts(tally.broken);
  const valid = sum(tally, 'valid');
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, seed ${seed}, Node ${process.versions.node}, ${cpus().length} ` +
      `cores: **${tally.requests.toLocaleString('en')} requests** at ${progress.rate(tally.requests)} a second, ` +
      `${found.length} problems.`,
    '',
    ...wrapped(
      `- Valid: ${valid.toLocaleString('en')}, of which ${sum(tally, 'succeeded').toLocaleString('en')} succeeded. ` +
        `Broken: ${sum(tally, 'broken').toLocaleString('en')}, of which ` +
        `${sum(tally, 'accepted').toLocaleString('en')} were accepted, because what was broken is optional or ignored.`,
    ),
    ...wrapped(`- Broken parts: ${single}. Several at once: ${several}.`),
    `- ${progress.summary()}`,
    `- The event loop computed without a turn for ${computedMs.toFixed(0)} ms at most.`,
    '',
    tally.table(),
  ];
  writeFileSync(path, `${text}${heading}\n${lines.join('\n')}\n`);
}

function sum({ operations }: FuzzResult['tally'], field: 'valid' | 'succeeded' | 'broken' | 'accepted'): number {
  return [...operations.values()].reduce((total, counts) => total + counts[field], 0);
}

/** Returns the counts of requests with one broken part, by its kind, and the count of those with several. */
function brokenParts(broken: ReadonlyMap<string, number>): readonly [single: string, several: number] {
  const [several, single] = [true, false].map((has) => [...broken].filter(([kind]) => kind.includes(', ') === has));
  const counts = single!.toSorted(([, a], [, b]) => b - a).map(([kind, count]) => `${kind} ${count}`);
  return [counts.join(', '), several!.reduce((sum, [, count]) => sum + count, 0)];
}

/** Breaks an item of a list into lines of at most 120 characters. */
function wrapped(item: string): string[] {
  return item.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined) return [word];
    return last.length + word.length < 120 ? [...lines.slice(0, -1), `${last} ${word}`] : [...lines, `  ${word}`];
  }, []);
}
