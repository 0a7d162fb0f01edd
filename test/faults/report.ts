import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';

import { chosenStore } from '#test/support/chosen-store.ts';

const path = join(import.meta.dirname, 'REPORT.md');
const root = join(import.meta.dirname, '../..');

/** One line of the report. */
export interface Tried {
  /** What was tried. */
  readonly tried: string;
  readonly times: number;
  /** Broken promises: acknowledged changes that are gone, half done ones, wrong bytes. */
  readonly lost: number;
  /** What else was seen. */
  readonly found: string;
}

/**
 * Writes the results of one suite into its section of `REPORT.md`, in the long form over SQLite and files. Call it also
 * when the suite fails.
 *
 * @param section the name in the markers of the section
 * @param kept texts about kept promises, which differ only in their numbers. They are added up
 */
export function report(section: string, startedAt: number, rows: readonly Tried[], kept: readonly string[] = []): void {
  if (process.env.CUBBY_TEST_LONG !== '1' || chosenStore !== 'sqlite') return;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // The product that was tried, whatever tests and documents followed.
  const commit = spawnSync('git', ['log', '-1', '--format=%h', '--', 'server'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout?.trim();
  const minutes = Math.ceil((Date.now() - startedAt) / 60_000);
  const date = new Date(startedAt).toISOString().slice(0, 10);
  const text = [
    `${date}, Cubby ${version}${commit ? ` at commit ${commit}` : ''}, Node ${process.version}, Linux ` +
      `${release()}, ${minutes} minutes.`,
    '',
    '| tried | times | lost | also found |',
    '|---|---|---|---|',
    ...rows.map(({ tried, times, lost, found }) => `| ${tried} | ${grouped(times)} | ${grouped(lost)} | ${found} |`),
    ...(kept.length > 0 ? ['', `Kept: ${summed(kept)}.`] : []),
  ].join('\n');
  const before = readFileSync(path, 'utf8');
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const [head, rest] = before.split(begin);
  const tail = rest?.split(end)[1];
  if (tail === undefined) throw new Error(`REPORT.md has no section ${begin} … ${end}.`);
  writeFileSync(path, `${head}${begin}\n\n${text}\n\n${end}${tail}`);
}

/** Adds up the numbers of texts that are the same otherwise. */
function summed(texts: readonly string[]): string {
  const numbers = texts.map((text) => [...text.matchAll(/\d+/g)].map(Number));
  let at = 0;
  return texts[0]!.replaceAll(/\d+/g, () => {
    const sum = numbers.reduce((total, ofText) => total + ofText[at]!, 0);
    at++;
    return grouped(sum);
  });
}

/** Prints how far a long run is, at most every 20 seconds. */
export function progress(name: string): (words: string) => void {
  let printedAt = 0;
  return (words) => {
    if (process.env.CUBBY_TEST_LONG !== '1' || Date.now() - printedAt < 20_000) return;
    printedAt = Date.now();
    console.log(`${name}: ${words}`);
  };
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** Counts how often things were tried, by their names in the report, and which promises were broken. */
export class Tally {
  readonly #rows = new Map<string, { times: number; broken: string[] }>();

  add(tried: string, broken: readonly string[] = []): void {
    const row = this.#rows.get(tried) ?? { times: 0, broken: [] };
    this.#rows.set(tried, row);
    row.times++;
    row.broken.push(...broken);
    for (const one of broken) console.log(`${tried}: ${one}`);
  }

  get times(): number {
    return [...this.#rows.values()].reduce((sum, { times }) => sum + times, 0);
  }

  /** All broken promises. */
  get broken(): string[] {
    return [...this.#rows.values()].flatMap(({ broken }) => broken);
  }

  /** @param found what else was seen, by the same names */
  rows(found: Readonly<Record<string, string>> = {}): Tried[] {
    return [...this.#rows]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([tried, { times, broken }]) => ({ tried, times, lost: broken.length, found: found[tried] ?? '' }));
  }
}
