import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { root, sourceFiles } from './imports.ts';
import type { StateByKind } from './listed.ts';
import { stateOf } from './state.ts';

/**
 * Every module of the server that keeps state between two calls, by kind. Those of features are listed with the tests of
 * each. State that must be exact across processes is in none of them. It belongs behind a port, and a folder
 * `stores/memory/` implements that port.
 */
const stateful: StateByKind = {
  request: [
    'server/backends/open-response.ts',
    'server/config/values.ts',
    'server/domain/backup/index-log.ts',
    'server/domain/backup/note-run.ts',
    'server/domain/checksums/algorithms.ts',
    'server/domain/events/stream-events.ts',
    'server/domain/set-size.ts',
    'server/domain/store-check/scrub.ts',
    'server/doors/contract/operation.ts',
    'server/handlers/request-references.ts',
    'server/http/json-token.ts',
    'server/http/kept-json.ts',
    'server/http/pick-form-field.ts',
    'server/http/pick-json.ts',
    'server/http/send-bytes.ts',
    'server/http/whole-body.ts',
    'server/pipeline/request-context.ts',
    'server/pipeline/request-limits.ts',
    'server/stores/backup/sqlite-blob-index.ts',
    'server/stores/bucket/bucket-reader.ts',
    'server/stores/bucket/flowing-bytes.ts',
    'server/stores/bucket/multipart-upload.ts',
    'server/stores/bucket/part-buffer.ts',
    'server/stores/encrypted/sealed-source.ts',
    'server/stores/encrypted/segment-reader.ts',
    'server/stores/filesystem/blob-reader.ts',
    'server/stores/filesystem/hashed-content.ts',
    'server/stores/open-backup.ts',
    'server/stores/open-repairs.ts',
    'server/stores/open-restore.ts',
    'server/stores/postgres/piece-run.ts',
    'server/stores/postgres/transaction.ts',
    'server/stores/sqlite/writer-transaction.ts',
    'server/stores/tables/accounts.ts',
  ],
  computed: [
    'server/compose/contract.ts',
    // The valid master keys, as the database says.
    'server/stores/system/key-ring.ts',
    // Sums and backlogs that the metrics read.
    'server/compose/watch.ts',
    'server/domain/access/s3-key-pair.ts',
    // Root keys, which are read again when one is missing.
    'server/stores/encrypted/encryption.ts',
    'server/stores/encrypted/root-key-ring.ts',
    'server/doors/site/site-files.ts',
    'server/doors/contract/direct-routes.ts',
    'server/doors/contract/request-validator.ts',
    'server/http/client-address.ts',
    'server/internals/express-openapi-validator-5.ts',
    'server/pages/formats.ts',
    'server/stores/open-blobs.ts',
    'server/stores/postgres/clock.ts',
    'server/stores/postgres/fused.ts',
    'server/stores/postgres/placeholders.ts',
    'server/stores/sqlite/row-cache.ts',
    'server/stores/system/ids.ts',
    'server/stores/system/secrets.ts',
  ],
  resources: [
    'server/backends/task-process.ts',
    // The bytes of bodies that are in the memory of this process.
    'server/http/body-memory.ts',
    'server/http/continue.ts',
    'server/http/graceful-stop.ts',
    'server/http/linger.ts',
    'server/stores/bucket/transport.ts',
    'server/stores/filesystem/blobs.ts',
    'server/stores/filesystem/disk-reserve.ts',
    'server/stores/filesystem/hash-thread.ts',
    'server/stores/filesystem/hash-threads.ts',
    'server/stores/filesystem/slabs.ts',
    'server/stores/filesystem/watch-disk.ts',
    'server/stores/filesystem/watched-disk.ts',
    'server/stores/postgres/lanes.ts',
    'server/stores/postgres/metadata.ts',
    'server/stores/postgres/pool.ts',
    'server/stores/postgres/posted-statements.ts',
    'server/stores/postgres/shared-reads.ts',
    'server/stores/postgres/session.ts',
    'server/stores/sqlite/connection.ts',
    'server/stores/sqlite/log-copier.ts',
    'server/stores/sqlite/checkpointer.ts',
    'server/stores/sqlite/metadata.ts',
    'server/stores/sqlite/process-lock.ts',
    'server/stores/sqlite/write-ahead-log.ts',
    'server/stores/sqlite/writer.ts',
    'server/stores/system/scrypt-threads.ts',
  ],
  work: [
    // When its stop began.
    'server/stop-signals.ts',
    'server/compose/backup-process/child.ts',
    'server/compose/backups.ts',
    // Who follows the contents that this process releases.
    'server/domain/ports/releases.ts',
    'server/domain/hash-queue.ts',
    'server/domain/turns.ts',
    'server/event-loop.ts',
    'server/jobs/requested-jobs.ts',
    'server/jobs/at-most-every.ts',
    'server/jobs/debouncer.ts',
    'server/stores/watch-master-key.ts',
    'server/jobs/one-at-a-time.ts',
    'server/jobs/schedule.ts',
    'server/start.ts',
    'server/stores/open-in-steps.ts',
    'server/workers/supervise.ts',
    'server/workers/worker.ts',
    // Accounts that runs of this process have. The leases are in rows.
    'server/stores/postgres/state/account-leases.ts',
    // Requests that share the next statement. The counts are in rows.
    'server/stores/postgres/state/rate-limits.ts',
    // Requests of this process that wait for a slot, and the connection that notifies them. The line is in rows.
    'server/stores/postgres/state/slots.ts',
    'server/stores/postgres/state/listening.ts',
  ],
  observations: [
    'server/pipeline/waiting-queue.ts',
    'server/handlers/open-streams.ts',
    // Whether an upstream, or the bucket, is available at the moment.
    'server/circuit-breaker.ts',
    'server/stores/bucket/bucket-health.ts',
    // The difference of the clocks of this machine and of the bucket.
    'server/stores/bucket/bucket-client.ts',
    // Retries of calls to the bucket, and the memory of uploads to it.
    'server/stores/bucket/buffer-budget.ts',
    'server/stores/bucket/retry-budget.ts',
    // The server of the database that let this process in last.
    'server/stores/postgres/connect.ts',
    // The lease of this process, as it knows it.
    'server/stores/postgres/state/replica.ts',
    // The last reading of the clock.
    'server/domain/jobs/watch-clock.ts',
  ],
  command: [
    'server/stores/move/copy-blob.ts',
    'server/stores/move/copy-blobs.ts',
    'server/stores/move/copy-rows.ts',
    'server/stores/move/sqlite-rows.ts',
    'server/stores/move/verify.ts',
  ],
  counts: [
    'server/metrics/bodies.ts',
    'server/metrics/jobs.ts',
    'server/metrics/requests.ts',
    'server/metrics/stores.ts',
  ],
  unsaved: [
    // Requests of accounts and the bytes sent to them, for two seconds.
    'server/domain/account/traffic-counts.ts',
    // Blobs to delete once more. The daily sweep finds them too.
    'server/stores/bucket/doubtful-blobs.ts',
    // Attempts under way. What waits is in the store.
    'server/jobs/outbox.ts',
  ],
};

const ofFeatures = (await partsOfFeatures('architecture')).map(({ stateful: own = {} }) => own);
const listed = [stateful, ...ofFeatures].flatMap((byKind): string[] => Object.values(byKind).flat());
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('state between requests', () => {
  it('is kept only by these modules: other state belongs behind a port or into an LRUCache', () => {
    const ofPorts = /^server\/(?:features\/[^/]+\/)?stores\/memory\//;
    const keeping = sourceFiles().filter(
      (file) => file.startsWith('server/') && !ofPorts.test(file) && stateOf(read(file)).length > 0,
    );
    const unlisted = keeping.filter((file) => !listed.includes(file));
    expect(unlisted.map((file) => `${file}: ${stateOf(read(file)).join(', ')}`)).toEqual([]);
    expect(listed.filter((file) => !keeping.includes(file))).toEqual([]);
  });

  it.each([
    ['a variable of a module', 'let count = 0; export const next = () => ++count;', ['count']],
    ['a collection of a module', 'const seen = new Set(); export const see = (x) => seen.add(x);', ['seen']],
    ['a list of a module', 'const all = []; export function keep(x) { all.push(x); }', ['all']],
    ['a property of a class', 'class Counter { #count = 0; readonly #limit = 1; }', ['#count']],
    ['a collection of a class', 'class Counter { readonly #counts = new Map<string, number>(); }', ['#counts']],
    ['a variable of a factory', 'function counter() { let count = 0; return { next: () => ++count }; }', ['count']],
    ['a map of a factory', 'const once = () => { const at = new Map(); return (x) => at.set(x, 1); };', ['at']],
    ['no constant', "const kinds = new Set(['a']); export const isKind = (x) => kinds.has(x);", []],
    ['no cache', 'const seen = new LRUCache({ max: 9 }); export const see = (x) => seen.set(x, 1);', []],
    [
      'no variable of a callback',
      'function at(all) { let n = 0; const ns = all.map(() => n++); return () => ns; }',
      [],
    ],
    ['no variable of a call', 'function sum(all) { let sum = 0; all.forEach((x) => (sum += x)); return sum; }', []],
  ])('is detected: %s', (_, text, names) => {
    expect(stateOf(text)).toEqual(names);
  });
});
