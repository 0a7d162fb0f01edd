import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { settingLines, ownSettings } from '#mocks/own-settings.ts';
import { mockConfig } from '#mocks/mock/settings.ts';
import { overrideLabels, startSandbox } from '#mocks/sandbox.ts';
import { startControlledSandbox } from '#mocks/sandbox/controlled.ts';
import { parseConfig } from '#server/config/config.ts';
import { knownHeaderDifferences } from './compared-headers.ts';

const readme = readFileSync(join(import.meta.dirname, '../../mocks/README.md'), 'utf8');

/** Returns the rows of a table of the README, by the title of its first columns. */
function tableOf(title: string): string[] {
  const [, rows = ''] = readme.split(`| ${title} |`)[1]!.split(/^\|(?:---\|)+\n/m);
  return rows.split(/\n(?!\|)/)[0]!.split('\n');
}

/** The line that says a difference of a setting at the start. */
const line = /^(\w+) is (.*) \(a server without it: (.*)\)$/;

/** Returns the items of the list after a text of the README, each in one line. */
function listAfter(text: string): string[] {
  const [list = ''] = readme.split(`${text}\n\n`)[1]!.split('\n\n');
  return list.replaceAll('\n  ', ' ').split('\n');
}

/** Turns what a double says at its start into a row of the README. */
function rowOf(said: string): string {
  const [, name, value, standard] = line.exec(said)!;
  const row = `| \`${name}\` | \`${value}\` | \`${standard}\` |`;
  return row
    .replace(`\`${join(process.cwd(), 'data')}\``, 'the folder `data`')
    .replace(new RegExp(`\`${tmpdir()}/cubby-sandbox-\\w+\``), 'a temporary folder')
    .replace(/^\| `CUBBY_\w+_PORT` \| (.*) \| .* \|$/, '| `CUBBY_…_PORT` | $1 | 7400 to 7404 |')
    .replace(
      /^\| `CUBBY_\w+_URL` \| `http:\/\/localhost:\d+` \| .* \|$/,
      '| `CUBBY_…_URL` | the port in front of the server | `http://localhost` and its port |',
    );
}

const sorted = (rows: Iterable<string>) => [...new Set(rows)].sort();

it('a server without variables differs from itself in nothing', () => {
  expect(ownSettings(parseConfig({}))).toEqual([]);
});

it('the README of the mocks lists the settings of the mock', () => {
  expect(sorted(settingLines(mockConfig).map(rowOf))).toEqual(
    sorted(tableOf('setting | the mock | a server without settings')),
  );
});

it('the README of the mocks lists the headers in which the mock differs', () => {
  const rows = knownHeaderDifferences.map(({ names, operations, why }) => {
    const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ');
    return `- ${code(names)} (${operations ? code(operations) : 'everywhere'}): ${why}`;
  });
  expect(listAfter('Other headers are those of a server, besides these:')).toEqual(rows);
});

it('the README of the mocks lists the settings of the sandbox', async () => {
  // As `npm run sandbox` starts it, besides the ports, which another server may have.
  const ports = ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']);
  const sandbox = await startSandbox({ env: Object.fromEntries(ports) });
  onTestFinished(() => sandbox.stop());
  const own = sandbox.differences.filter((said) => !/^CUBBY_\w+_(PORT|URL) /.test(said));
  expect(sorted(own.map(rowOf))).toEqual(sorted(tableOf('setting | `npm run sandbox` | a server without settings')));
});

it('the README of the mocks lists in what the sandbox of tests differs', async () => {
  const sandbox = await startControlledSandbox();
  onTestFinished(() => sandbox.stop());
  const settings = sandbox.differences.filter((said) => line.test(said));
  expect(sorted(settings.map(rowOf))).toEqual(
    sorted(tableOf('setting | `startSandbox()` | a server without settings')),
  );
  const others = sandbox.differences.filter((said) => !line.test(said));
  expect(sorted(others)).toEqual(sorted(Object.values(overrideLabels)));
  for (const words of others) expect(readme).toMatch(new RegExp(`^- ${words}[,.]$`, 'm'));
});
