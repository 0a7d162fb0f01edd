import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { isInstalled, packageOf } from './test/support/packages.ts';
import { noPostgres } from './test/support/postgres/programs.ts';
import { SkipReasons } from './test/support/skip-reasons.ts';

/** What takes ten seconds and more: begun first, so that no worker is left with one of them at the end. */
const longOnes = [
  'test/s3/clients/console-recipes',
  'test/s3/signature-fuzz',
  'test/s3/conformance/conformance',
  'test/pages/gallery',
  'test/browser/',
  'test/uploader/element',
  'test/uploader/reload',
  'test/flows/races',
  'test/flows/shares-',
  'test/flows/activation-page',
  'test/flows/event-loop',
  'test/faults/',
  'test/features/edge-errors/commands/edge-log/follow',
  'test/features/deploys/commands/deploys',
  'test/cli/deploys',
  'test/contract/code-pairs/code-pairs',
];

/**
 * A file's name says which suite it is in. `npm test` runs `*.test.ts`, so that it ends within minutes.
 * `npm run test:all` adds what needs a browser or the programs and packages of others, and what takes long: killed
 * processes, faulty disks.
 */
const onlyInAll = ['test/**/*.{browser,long,programs}.test.ts'];

/** Programs of several replicas take minutes: `npm run test:scale replicas`. */
const onlyInScale = ['test/**/*.scale.test.ts'];

/**
 * What `.ci/run` never runs again when it has failed: these find faults that show themselves once in many runs. Files
 * that it runs again and that then pass are printed as unsteady.
 */
export const neverRepeated = [
  'test/**/{faults,fuzz}/**/*.test.ts',
  'test/**/*{race,fault,kill,fuzz,unrest}*.test.ts',
  'test/**/{model,master-key-under-load,rotate-master-key,graceful-stop}{,.long,.programs}.test.ts',
  'test/stores/move/**/*.test.ts',
];

/** Ends what hangs, in ms. What computes may take ten times as long on a busy machine. */
export const testTimeout = 120_000;

/** The long ones first, also where nothing is known of earlier runs. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (longOnes.some((path) => moduleId.includes(path)) ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Somebody has chosen the stores for all tests: `npm run test:scale`. */
const isChosen = process.env.CUBBY_TEST_STORE !== undefined;

const all = {
  extends: true as const,
  test: { name: process.env.CUBBY_TEST_STORE ?? 'sqlite', include: ['test/**/*.test.ts'] },
};

/** These flows over PostgreSQL are always run: its limits under parallel requests. */
export const alwaysOverPostgres = ['races', 'races-shares', 'chat-limits', 'key-limits'];

export const furtherOverPostgres = [
  'races-trash',
  'races-writes',
  'upload-tokens-chunked',
  'ai-requests',
  'chat-queue',
  'chat-unrest-models.long',
  'file-requests-limits',
  'file-requests-uploads',
];

/**
 * Takes an empty module for each package of `test/programs/` that is not installed, so that a file can import it and
 * skip its tests. The server's own imports fail as they do for users.
 */
const absentPackages: Plugin = {
  name: 'absent-packages',
  enforce: 'pre',
  resolveId(source, importer) {
    const name = packageOf(source);
    const isServer = importer?.startsWith(join(import.meta.dirname, 'server')) ?? false;
    return name === undefined || isServer || isInstalled(name) ? undefined : `\0absent:${source}`;
  },
  load: (id) => (id.startsWith('\0absent:') ? 'export default undefined;' : undefined),
};

/** Without such a choice everything runs over SQLite, and these flows run over PostgreSQL too. */
const overPostgres = {
  extends: true as const,
  test: {
    name: 'postgres',
    include: [...alwaysOverPostgres, ...(process.env.CUBBY_TEST_QUICK === '1' ? [] : furtherOverPostgres)].map(
      (name) => `test/flows/${name}.test.ts`,
    ),
    env: { CUBBY_TEST_STORE: 'postgres' },
  },
};

const missing = noPostgres();
if (!isChosen && missing !== undefined) console.warn(`The flows over PostgreSQL are skipped: ${missing}.`);

export default defineConfig({
  plugins: [absentPackages],
  test: {
    projects: isChosen || missing !== undefined ? [all] : [all, overPostgres],
    exclude: [
      '**/node_modules/**',
      ...(process.env.CUBBY_TEST_SCALE === '1' ? [] : onlyInScale),
      ...(process.env.CUBBY_TEST_QUICK === '1' ? onlyInAll : []),
    ],
    reporters: ['default', new SkipReasons()],
    globalSetup: ['test/support/build-docs.ts', 'test/support/shared-servers.ts'],
    pool: 'forks',
    // Files that follow each other in a worker share its modules: loading the server and compiling the contract takes a
    // second each time. So a file must leave its process as it found it, and none may count on being alone in it.
    isolate: false,
    unstubGlobals: true,
    // Many tests wait for processes, disks and clocks, and the default leaves one of two cores to nobody.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // A poll waits for an event: on a busy machine that may take longer than the second of the default.
    expect: { poll: { timeout: 15_000, interval: 20 } },
    testTimeout,
    hookTimeout: testTimeout,
  },
});
