import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { root, sourceFiles } from './imports.ts';
import { stateOf } from './state.ts';

/**
 * Every module of the server that keeps state between two calls, grouped by kind. State that must be exact across
 * processes is in none of them. It belongs behind a port, and a folder `stores/memory/` implements that port.
 */
const stateful: Readonly<Record<string, readonly string[]>> = {
  'made for one request, one file or one transaction, and dropped with it': [
    'server/features/s3/list-s3-versions.ts',
    'server/features/s3/list-s3-versions.ts',
    'server/features/chat/backends/call-reader.ts',
    'server/features/chat/backends/chunk-reader.ts',
    'server/features/chat/backends/request-progress.ts',
    'server/features/chat/backends/upstream-events.ts',
    'server/features/chat/backends/span-content.ts',
    'server/features/chat/backends/streamed-ask.ts',
    'server/features/chat/backends/traced-stream.ts',
    'server/backends/open-response.ts',
    'server/features/deploys/commands/deploy-log.ts',
    'server/features/edge-errors/commands/edge-log/log-counter.ts',
    'server/config/values.ts',
    'server/domain/backup/index-log.ts',
    'server/features/chat/cached-vectors.ts',
    'server/features/chat/growing-text.ts',
    'server/features/chat/handed-out.ts',
    'server/features/chat/merge-bytes.ts',
    'server/features/chat/meter.ts',
    'server/features/chat/received-answer.ts',
    'server/features/chat/handlers/delta-stream.ts',
    'server/features/chat/shown-answer.ts',
    'server/domain/checksums/algorithms.ts',
    'server/features/uploads/upload-lookup.ts',
    'server/features/edge-errors/error-breakdown.ts',
    'server/features/edge-errors/kind-sums.ts',
    'server/features/edge-errors/tally.ts',
    'server/domain/events/stream-events.ts',
    'server/features/file-requests/reserve-space.ts',
    'server/features/files/quota-reservation.ts',
    'server/features/files/receive-content.ts',
    'server/features/uploads/cut-source.ts',
    'server/features/uploads/writing.ts',
    'server/doors/contract/operation.ts',
    'server/features/s3/door/body/aws-chunked.ts',
    'server/features/s3/door/body/chunk-reader.ts',
    'server/features/s3/door/body/gathered.ts',
    'server/features/s3/door/s3-exchange.ts',
    'server/features/s3/door/xml.ts',
    'server/features/chat/handlers/model-request-record.ts',
    'server/features/chat/handlers/chat-answer.ts',
    'server/features/chat/handlers/chat-budgets.ts',
    'server/features/chat/handlers/responses/events.ts',
    'server/features/chat/handlers/messages/events.ts',
    'server/features/chat/handlers/embeddings.ts',
    'server/handlers/request-references.ts',
    'server/pipeline/request-limits.ts',
    'server/features/deploys/handlers/git/payload-reader.ts',
    'server/http/pick-form-field.ts',
    'server/http/json-token.ts',
    'server/http/kept-json.ts',
    'server/http/pick-json.ts',
    'server/http/whole-body.ts',
    'server/http/send-bytes.ts',
    'server/pipeline/request-context.ts',
    'server/domain/backup/note-run.ts',
    'server/domain/store-check/scrub.ts',
    'server/stores/backup/sqlite-blob-index.ts',
    'server/stores/open-backup.ts',
    'server/stores/open-repairs.ts',
    'server/stores/open-restore.ts',
    'server/pipeline/request-limits.ts',
    'server/stores/bucket/bucket-reader.ts',
    'server/stores/bucket/flowing-bytes.ts',
    'server/stores/bucket/multipart-upload.ts',
    'server/stores/bucket/part-buffer.ts',
    'server/stores/encrypted/sealed-source.ts',
    'server/stores/encrypted/segment-reader.ts',
    'server/stores/filesystem/blob-reader.ts',
    'server/stores/filesystem/hashed-content.ts',
    'server/stores/postgres/piece-run.ts',
    'server/stores/postgres/transaction.ts',
    'server/stores/sqlite/writer-transaction.ts',
  ],
  'values that this process has read or computed, and that another can read or compute for itself': [
    'server/compose/contract.ts',
    // The operator's file of models.
    'server/features/chat/backends/watch-models.ts',
    'server/config/models-file.ts',
    // The valid master keys, as the database says.
    'server/stores/system/key-ring.ts',
    // Sums and backlogs that the metrics read.
    'server/compose/watch.ts',
    'server/domain/access/s3-key-pair.ts',
    // Root keys, which are read again when one is missing.
    'server/stores/encrypted/encryption.ts',
    'server/stores/encrypted/root-key-ring.ts',
    'server/features/chat/vocabulary.ts',
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
    // The files of the cache of variants, as a listing of its folder says.
    'server/features/images/stores/filesystem/variant-files.ts',
    'server/stores/system/ids.ts',
    'server/stores/system/secrets.ts',
  ],
  'connections, threads, programs and files of this process': [
    'server/features/chat/backends/local-model/local-model.ts',
    'server/features/chat/backends/local-model/process.ts',
    'server/features/chat/backends/models-of-file.ts',
    'server/features/chat/backends/retirable-upstream.ts',
    'server/features/images/backends/render-process.ts',
    'server/features/chat/count-tokens.ts',
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
  'the script of a page, which runs in browsers': [
    'server/features/file-requests/pages/sending/queue.js',
    'server/features/file-requests/pages/sending/request.js',
    'server/features/file-requests/pages/sending/view.js',
  ],
  'running and waiting work of this process': [
    // When its stop began.
    'server/stop-signals.ts',
    'server/compose/backup-process/child.ts',
    'server/compose/backups.ts',
    'server/features/chat/serve.ts',
    // Contents whose variants may have to go. What it loses at an end is found at the next start.
    'server/features/images/backends/drop-released.ts',
    // Who follows the contents that this process releases.
    'server/domain/ports/releases.ts',
    'server/features/images/image-variants.ts',
    'server/features/images/turns.ts',
    'server/features/chat/count-texts.ts',
    'server/features/chat/token-thread.ts',
    // Requests that wait for their turn. Each process has its own, and limits hold without them.
    'server/features/chat/turn-queue.ts',
    'server/features/uploads/running-hash.ts',
    // Who writes to an upload. Other processes are kept out by its row.
    'server/features/uploads/upload-turns.ts',
    'server/domain/hash-queue.ts',
    'server/event-loop.ts',
    'server/jobs/requested-jobs.ts',
    'server/jobs/at-most-every.ts',
    'server/jobs/debouncer.ts',
    'server/stores/watch-master-key.ts',
    'server/jobs/one-at-a-time.ts',
    'server/jobs/schedule.ts',
    'server/start.ts',
    'server/workers/supervise.ts',
    'server/workers/worker.ts',
    // Requests that share the next statement. The counts are in rows.
    'server/stores/postgres/state/rate-limits.ts',
    // Requests of this process that wait for a slot, and the connection that notifies them. The line is in rows.
    'server/stores/postgres/state/slots.ts',
    'server/stores/postgres/state/listening.ts',
  ],
  'observations that limit the work of this process, and need not be exact': [
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
    // The paths that are kept for errors. The limit applies to each process.
    'server/features/edge-errors/named-kinds.ts',
    // When rows were last swept. The state itself is in rows.
    'server/features/chat/stores/postgres/chat-reservations.ts',
    'server/features/shares/stores/postgres/password-tries.ts',
    // The lease of this process, as it knows it.
    'server/stores/postgres/state/replica.ts',
    // The last reading of the clock.
    'server/domain/jobs/watch-clock.ts',
  ],
  'the work of one command of the operator, which stores its progress in the source of the move': [
    'server/stores/move/copy-blob.ts',
    'server/stores/move/copy-blobs.ts',
    'server/stores/move/copy-rows.ts',
    'server/stores/move/sqlite-rows.ts',
    'server/stores/move/verify.ts',
  ],
  'counts of this process for the metrics, which are added up over processes': [
    'server/metrics/bodies.ts',
    'server/metrics/gateway.ts',
    'server/metrics/jobs.ts',
    'server/metrics/requests.ts',
    'server/metrics/stores.ts',
  ],
  'data that this process has yet to store or send, and loses when it is killed': [
    'server/features/chat/cached-requests.ts',
    // Requests of accounts and the bytes sent to them, for two seconds.
    'server/domain/account/traffic-counts.ts',
    // Counts of errors, for a quarter of a second.
    'server/features/edge-errors/door-errors.ts',
    // Requests to models, for half a second.
    'server/features/chat/request-log.ts',
    // Blobs to delete once more. The daily sweep finds them too.
    'server/stores/bucket/doubtful-blobs.ts',
    // Attempts under way. What waits is in the store.
    'server/jobs/outbox.ts',
    'server/features/files/backends/purge-queue.ts',
    'server/features/webhooks/backends/webhook-queue.ts',
  ],
};

const listed = Object.values(stateful).flat();
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
