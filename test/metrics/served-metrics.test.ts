import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { gc } from './collect-garbage.ts';
import { metricsOf } from './scraped.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ rateLimits: true });
  account = await server.account();
});
afterAll(() => server.stop());

const scrape = () => metricsOf(server);

describe('/metrics', () => {
  it('counts requests by door, operation, status and code', async () => {
    const before = await scrape();
    await server.send('/v1/objects/info?object=nothing', { credential: account.credential });
    await server.send('/private/missing', { door: 's3' });
    const after = await scrape();
    const change = (labels: Record<string, string>) =>
      after.value('cubby_requests_total', labels) - before.value('cubby_requests_total', labels);
    expect(change({ door: 'api', operation: 'getObjectInfo', status: '400', code: 'INVALID_OBJECT' })).toBe(1);
    expect(change({ door: 's3', status: '403', code: 'AccessDenied' })).toBe(1);
    expect(after.value('cubby_request_duration_seconds_count', { operation: 'getObjectInfo' })).toBeGreaterThan(0);
  });

  it('counts bytes in and out by door, and what all accounts store', async () => {
    const { url } = (await upload(server, account, { bytes: someBytes(20_000) })).json().response;
    const before = await scrape();
    await server.send(new URL(url).pathname, { door: 'public' });
    expect(before.value('cubby_received_bytes_total', { door: 'api' })).toBe(20_000);
    const sent = { door: 'public' };
    await expect.poll(async () => (await scrape()).value('cubby_sent_bytes_total', sent)).toBe(20_000);
    // The sums are read once a minute.
    server.clock.advance(60_000);
    const later = await scrape();
    expect(later.value('cubby_stored_files')).toBe(1);
    expect(later.value('cubby_stored_bytes')).toBe(20_000);
    expect(later.value('cubby_accounts')).toBe(1);
  });

  it('shows requests under way and the slots that they hold', async () => {
    const gate = Promise.withResolvers<void>();
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'));
        controller.enqueue(someBytes(600));
        await gate.promise;
        controller.enqueue(Buffer.from('\r\n--b--\r\n'));
        controller.close();
      },
    });
    const uploading = server.send('/v1/objects?name=slow', {
      method: 'POST',
      body,
      credential: account.credential,
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    await expect.poll(async () => (await scrape()).value('cubby_slots_taken', { kind: 'uploads' })).toBe(1);
    // The request for the metrics itself is at the operator's door.
    expect((await scrape()).value('cubby_requests_running', { door: 'api' })).toBe(1);
    gate.resolve();
    expect((await uploading).status).toBe(200);
    await expect.poll(async () => (await scrape()).value('cubby_slots_taken', { kind: 'uploads' })).toBe(0);
    expect((await scrape()).value('cubby_requests_running', { door: 'api' })).toBe(0);
  });

  it('shows disk, queues, database and process', async () => {
    const metrics = await scrape();
    const { freeBytes, sizeBytes } = server.running.app.stores.diskSpace.state();
    expect(metrics.value('cubby_disk_free_bytes')).toBe(freeBytes);
    expect(metrics.value('cubby_disk_used_bytes')).toBe(sizeBytes! - freeBytes);
    for (const queue of ['database-writes', 'password-hashes'])
      expect(metrics.value('cubby_queue_length', { queue })).toBe(0);
    for (const name of ['transactions_total', 'commit_duration_seconds_count', 'resident_memory_bytes'])
      expect(metrics.value(`cubby_${name}`), name).toBeGreaterThan(0);
    expect(metrics.value('cubby_cpu_seconds_total', { mode: 'user' })).toBeGreaterThan(0);
    expect(metrics.value('cubby_event_loop_active_seconds_total')).toBeGreaterThan(0);
  });

  it('shows how late the event loop was, and the time of garbage collections', async () => {
    // Node measures from the second look at the event loop on, so some time must be between a scrape and the hold.
    await expect
      .poll(
        async () => {
          const until = performance.now() + 120;
          while (performance.now() < until);
          return (await scrape()).value('cubby_event_loop_lag_seconds', { percentile: 'max' });
        },
        { interval: 100 },
      )
      .toBeGreaterThan(0.05);
    await expect
      .poll(async () => {
        gc();
        return (await scrape()).value('cubby_gc_runs_total', { kind: 'major' });
      })
      .toBeGreaterThan(0);
    expect((await scrape()).value('cubby_gc_seconds_total', { kind: 'major' })).toBeGreaterThan(0);
  });

  it('shows when each job last succeeded, how long it took and what waits for it', async () => {
    const { jobs, stores } = server.running.app;
    await stores.metadata.atomically(async (tx) => tx.reservations.markForDeletion('a'.repeat(26)));
    server.clock.advance(60_000);
    expect((await scrape()).value('cubby_job_backlog', { job_name: 'reap-blobs' })).toBe(1);
    await jobs.runNow();
    const metrics = await scrape();
    const job_name = 'delete-expired';
    expect(metrics.value('cubby_job_last_success_timestamp_seconds', { job_name })).toBe(server.clock.now() / 1000);
    expect(metrics.value('cubby_job_runs_total', { job_name, outcome: 'done' })).toBeGreaterThan(0);
    expect(metrics.value('cubby_job_duration_seconds', { job_name })).toBeGreaterThan(0);
    expect(metrics.value('cubby_jobs_wait_for_operator')).toBe(0);
    server.clock.advance(60_000);
    expect((await scrape()).value('cubby_job_backlog', { job_name: 'reap-blobs' })).toBe(0);
  });
});

it('/metrics says that jobs wait for an operator after a jump of the clock', async () => {
  const jumped = await startTestServer({ monotonicMs: () => 0 });
  jumped.clock.advance(8 * 86_400_000);
  await jumped.running.app.jobs.runNow();
  expect((await metricsOf(jumped)).value('cubby_jobs_wait_for_operator')).toBe(1);
});
