import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';

import { isOfUseCases } from '#test/architecture/layers/features.ts';

/*
 * `npm run test:scale`: the suites of stores, flows, races and models over each pair of engines, with encrypted files,
 * then the programs of several replicas. Arguments choose some of the runs. With `CUBBY_TEST_LONG=1` everything takes
 * its long form, and the bucket is Ceph's gateway where it is installed.
 */

interface Run {
  readonly env: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}

/** The tests of use cases. Those of commands and of requests to outside services run over the default stores alone. */
const useCases = globSync('test/features/**/*.test.ts').filter((file) => isOfUseCases(file.replace(/^test/, 'server')));

const suites = [
  'test/stores',
  'test/flows',
  'test/domain',
  ...useCases,
  'test/fuzz',
  'test/faults/crash.long.test.ts',
  'test/faults/client-gone.long.test.ts',
];

const runs: Readonly<Record<string, Run>> = {
  'sqlite+bucket': { env: { CUBBY_TEST_STORE: 'sqlite+bucket' }, paths: suites },
  postgres: { env: { CUBBY_TEST_STORE: 'postgres' }, paths: suites },
  'postgres+bucket': { env: { CUBBY_TEST_STORE: 'postgres+bucket' }, paths: suites },
  'two-replicas': {
    env: { CUBBY_TEST_STORE: 'postgres', CUBBY_TEST_REPLICAS: '2' },
    paths: [
      'test/flows/races',
      'test/flows/shares',
      'test/flows/upload-tokens',
      'test/flows/chunked',
      'test/flows/changes',
    ],
  },
  encrypted: {
    env: { CUBBY_TEST_ENCRYPTED: '1' },
    paths: [
      'test/flows',
      'test/domain',
      ...useCases,
      'test/s3',
      'test/cli/backup',
      'test/cli/store',
      'test/faults/crash.long.test.ts',
    ],
  },
  // 200 rounds of each race.
  races: { env: { CUBBY_TEST_LONG: '1' }, paths: ['test/flows/races-replicas'] },
  replicas: { env: { CUBBY_TEST_SCALE: '1' }, paths: ['test/scale'] },
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(runs, name));
if (unknown.length > 0) {
  console.error(`There is no run ${unknown.join(', ')}. The runs are ${Object.keys(runs).join(', ')}.`);
  process.exit(1);
}

const failed: string[] = [];
for (const name of names.length > 0 ? names : Object.keys(runs)) {
  console.log(`\n== ${name}`);
  const { env, paths } = runs[name]!;
  const child = spawn('vitest', ['run', ...paths], { stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exit(1);
}
