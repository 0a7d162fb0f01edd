import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { noPostgres } from './test/support/postgres/programs.ts';
import { SkipReasons } from './test/support/skip-reasons.ts';

/** What takes ten seconds and more: begun first, so that no worker is left with one of them at the end. */
const longOnes = [
  'test/s3/recipes',
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
  'test/cli/edge-log/follow',
  'test/cli/deploys',
  'test/contract/code-pairs/code-pairs',
];

/**
 * What `npm test` leaves out, so that it ends within minutes: browsers, programs of others, killed processes, faulty disks,
 * every sample of the documentation in every language, and what computes for a long time. `npm run test:all` runs it too.
 */
const leftOut = [
  'test/architecture/package.test.ts',
  'test/backends/render-process.test.ts',
  'test/backends/chat/hostile-streams.test.ts',
  'test/backends/purge-queue.test.ts',
  'test/browser/**',
  'test/cli/{backup,deploys,edge-log,store}/**',
  'test/cli/{beside-server,deploys,deploys-story,encryption/rotate,master-key,operator-api,run-deploy}.test.ts',
  'test/contract/consumer/**',
  'test/contract/{spectral,bad-input/upload-body,bad-input/upload-size,limits/account-limit,limits/chunked}.test.ts',
  'test/docs/{guides,installed-lines,links,packed-install,readable-site,samples,served-site,testing-guide}.test.ts',
  'test/domain/chat/{count-tokens,exact-tokens}.test.ts',
  'test/domain/chunked/model.test.ts',
  'test/domain/shares/password.test.ts',
  'test/doors/{cors-table,public-slow-downloads,process,query-validator,request-validator,slow-heads}.test.ts',
  'test/faults/**',
  'test/flows/{awkward-names,behind-nginx,encryption,event-loop,event-loop-chunks,event-loop-operator,image-variants,model,races-replicas}.test.ts',
  'test/flows/{activation-page,bundles-clients,chat-unanswered,git-webhook-fuzz,shares-clients,upkeep,traffic}.test.ts',
  'test/flows/{cdn,folder-jobs,models/reload,models/sharing,races-changes,races-chunked,uploads/tus}.test.ts',
  'test/flows/{replaced-files-quota,shares-allowances,shares-broken-lines,shares-guessing}.test.ts',
  'test/flows/{bundles-large,chat-unrest,chat-unrest-models,chat-stream-unrest,commit-statuses,master-key-under-load}.test.ts',
  'test/fuzz/self-check.test.ts',
  'test/http/{multipart-only-file,multipart-parts}.test.ts',
  'test/metrics/prometheus.test.ts',
  'test/mocks/{controlled-sandbox,mock-examples,readme,sandbox}.test.ts',
  'test/packages/**',
  'test/pages/gallery.test.ts',
  'test/regular-expressions/**',
  'test/s3/{clients,conformance,published}/**',
  'test/s3/{aws-sdk,event-loop,form-fuzz,many-parts,minio,quota-on-disk,signature-fuzz}.test.ts',
  'test/start/{file-modes,first-start,npm-signals,master-key-check,models-file,unusable-folder,workers}.test.ts',
  'test/stores/encrypted/**',
  'test/stores/bucket/{bucket-blobs,faults}.test.ts',
  'test/stores/move/**',
  'test/stores/postgres/{metadata,pooler,replica,round-trips,state,tables}.test.ts',
  'test/stores/{noted-upgrade,rotate-master-key}.test.ts',
  'test/stores/system/scrypt-threads.test.ts',
  'test/stores/sqlite/hide-share-ids.test.ts',
  'test/stores/{postgres,sqlite}/{every-upgrade,network,rolling-migrations}.test.ts',
  'test/support/**',
  'test/telemetry/open-telemetry.test.ts',
  'test/timing/**',
  'test/uploader/{element,element-attributes,element-folders,element-form,element-intake,element-offline,element-resume,frameworks,jsx-types,reload,real-server,uppy}.test.ts',
];

/**
 * What `.ci/run` never runs again when it has failed: these find faults that show themselves once in many runs. Files that
 * it runs again and that then pass are printed as unsteady.
 */
export const neverRepeated = [
  'test/**/{faults,fuzz}/**/*.test.ts',
  'test/**/*{race,fault,kill,fuzz,unrest}*.test.ts',
  'test/**/{model,master-key-under-load,rotate-master-key,graceful-stop}.test.ts',
  'test/stores/move/**/*.test.ts',
];

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
const alwaysOverPostgres = ['races', 'races-shares', 'chat-limits', 'key-limits'];

const furtherOverPostgres = [
  'races-trash',
  'races-writes',
  'upload-tokens-chunked',
  'ai-requests',
  'chat-queue',
  'chat-unrest-models',
  'file-requests-limits',
  'file-requests-uploads',
];

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
  test: {
    projects: isChosen || missing !== undefined ? [all] : [all, overPostgres],
    // Programs of several replicas take minutes: `npm run test:scale replicas`.
    exclude: [
      ...(process.env.CUBBY_TEST_SCALE === '1' ? [] : ['test/scale/**']),
      ...(process.env.CUBBY_TEST_QUICK === '1' ? leftOut : []),
    ],
    reporters: ['default', new SkipReasons()],
    globalSetup: ['test/support/build-docs.ts', 'test/support/shared-servers.ts'],
    pool: 'forks',
    // Files that follow each other in a worker share its modules: loading the server and compiling the contract takes a second each time.
    // So a file must leave its process as it found it, and none may count on being alone in it.
    isolate: false,
    unstubGlobals: true,
    // Many tests wait for processes, disks and clocks, and the default leaves one of two cores to nobody.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // A poll waits for an event: on a busy machine that may take longer than the second of the default.
    expect: { poll: { timeout: 15_000, interval: 20 } },
    // These end what hangs. What computes may take ten times as long on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
