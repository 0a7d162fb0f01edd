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
  const broken = [...tally.broken].toSorted(([, a], [, b]) => b - a).map(([kind, count]) => `${kind} ${count}`);
  const valid = sum(tally, 'valid');
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, seed ${seed}, Node ${process.versions.node}, ${cpus().length} ` +
      `cores: **${tally.requests.toLocaleString('en')} requests** at ${progress.rate(tally.requests)} a second, ` +
      `${found.length} problems.`,
    '',
    `- Valid: ${valid.toLocaleString('en')}, of which ${sum(tally, 'succeeded').toLocaleString('en')} succeeded. ` +
      `Broken: ${sum(tally, 'broken').toLocaleString('en')}, of which ` +
      `${sum(tally, 'accepted').toLocaleString('en')} were accepted, because what was broken is optional or ignored.`,
    `- Broken parts: ${broken.join(', ')}.`,
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
