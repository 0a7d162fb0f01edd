import { UploadError, uploadFile, type UploadOptions, type UploadState } from 'cubby-server/uploader';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { watchConnectivity, type Attempt, type Connectivity } from '#dist/modules/uploader/connectivity.js';
import { probeOf } from '#dist/modules/uploader/probe.js';
import { sha256, someBytes } from '#test/support/files.ts';
import { fileOf, partBytes } from './crashed-upload.ts';
import { startFakeServer } from './fake-server.ts';

const never = new AbortController().signal;
const hangs = ({ signal }: Attempt) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('watchConnectivity()', () => {
  const told: boolean[] = [];
  let isThere: boolean | undefined;
  let fits: boolean;
  let connectivity: Connectivity;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    told.length = 0;
    fits = true;
    isThere = true;
    const probe = {
      fits: () => fits,
      ask: async (ms: number) => (isThere ? true : (await new Promise((resolve) => setTimeout(resolve, ms)), false)),
    };
    connectivity = watchConnectivity({ probe, tell: (isDown) => void told.push(isDown) });
  });
  afterEach(() => {
    connectivity.close();
    vi.useRealTimers();
  });
  const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const stop = new AbortController();
  const quietly = (run: (attempt: Attempt) => Promise<unknown>) =>
    connectivity.watch(run, stop.signal).catch((error: unknown) => error);

  it('reports within two seconds that a silent server is unreachable, and that it is back', async () => {
    isThere = false;
    void quietly(hangs);
    await after(1_599);
    expect(told).toEqual([]);
    await after(2);
    expect(told).toEqual([true]);
    isThere = true;
    await after(5_000);
    expect(told).toEqual([true, false]);
  });

  it('reports nothing for a server that is only slow', async () => {
    void quietly(hangs);
    await after(60_000);
    expect(told).toEqual([]);
  });

  it('probes at most once in a second, and less and less often', async () => {
    const ask = vi.fn(async () => true);
    connectivity = watchConnectivity({ probe: { fits: () => true, ask }, tell: () => {} });
    void quietly(hangs);
    await after(60_000);
    expect(ask.mock.calls.length).toBeLessThan(9);
  });

  it('detects stalled bytes if no connection is free for a probe', async () => {
    fits = false;
    let moved: Attempt['moved'] = () => {};
    void quietly((attempt) => ((moved = attempt.moved), hangs(attempt)));
    moved(false);
    await after(1_500);
    moved(false);
    await after(1_500);
    expect(told).toEqual([]);
    await after(200);
    expect(told).toEqual([true]);
    moved(true);
    // The whole body is sent, and the server may take its time.
    await after(60_000);
    expect(told).toEqual([true, false]);
  });

  it('cuts a request after ten stalled seconds once the server is back, and waits twice that next time', async () => {
    const cuts: number[] = [];
    const startedAt = performance.now();
    const run = async () => {
      for (let tries = 0; tries < 2; tries++) {
        const error = await quietly((attempt) => (attempt.moved(false), hangs(attempt)));
        expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
        cuts.push(performance.now() - startedAt);
      }
    };
    const done = run();
    await after(120_000);
    await done;
    expect(cuts[0]).toBeGreaterThanOrEqual(10_000);
    expect(cuts[1]! - cuts[0]!).toBeGreaterThanOrEqual(20_000);
  });

  it('does not cut requests that report no progress, or whose body is sent', async () => {
    const ended = vi.fn();
    void quietly(hangs).then(ended);
    void quietly((attempt) => (attempt.moved(true), hangs(attempt))).then(ended);
    await after(120_000);
    connectivity.retryNow();
    await after(1);
    expect(ended).not.toHaveBeenCalled();
  });

  it('ends waits when a caller reports that the connection is back', async () => {
    const rested = vi.fn();
    void connectivity.wait(10_000, never).then(rested);
    await after(10);
    expect(rested).not.toHaveBeenCalled();
    connectivity.retryNow();
    await after(1);
    expect(rested).toHaveBeenCalled();
  });

  it('counts every response as a sign of life, even a refusal', async () => {
    connectivity.reportLost();
    await quietly(() =>
      Promise.reject(new UploadError({ code: 'RATE_LIMITED', message: 'x', status: 429, retryable: true })),
    );
    expect(told).toEqual([true, false]);
  });

  it('follows the events of the system, until it is closed', async () => {
    const heard = new EventTarget();
    for (const name of ['addEventListener', 'removeEventListener'] as const)
      vi.stubGlobal(name, heard[name].bind(heard));
    connectivity = watchConnectivity({
      probe: { fits: () => true, ask: async () => true },
      tell: (isDown) => void told.push(isDown),
    });
    heard.dispatchEvent(new Event('offline'));
    expect(told).toEqual([true]);
    const rested = vi.fn();
    void connectivity.wait(10_000, never).then(rested);
    heard.dispatchEvent(new Event('online'));
    await after(1);
    expect(rested).toHaveBeenCalled();
    connectivity.close();
    connectivity = watchConnectivity({ probe: { fits: () => true, ask: async () => true }, tell: () => {} });
    told.length = 0;
    heard.dispatchEvent(new Event('offline'));
    expect(told).toEqual([]);
  });
});

describe('probeOf()', () => {
  it('counts any response as reachable, and no response as unreachable', async () => {
    const fake = await startFakeServer();
    expect(await probeOf(`${fake.baseUrl}/`).ask(5_000, never)).toBe(true);
    fake.isAlive = false;
    expect(await probeOf(fake.baseUrl).ask(20, never)).toBe(false);
    expect(await probeOf('http://127.0.0.1:9').ask(5_000, never)).toBe(false);
  });

  it('leaves the connections of a browser to the uploads', () => {
    expect(probeOf('http://any').fits(6)).toBe(true);
    vi.stubGlobal('XMLHttpRequest', class {});
    expect([2, 3].map(probeOf('http://any').fits)).toEqual([true, false]);
  });
});

describe('uploadFile() with an unreachable server', () => {
  const begin = (baseUrl: string, options: Partial<UploadOptions> = {}) => {
    const states: UploadState[] = [];
    const bytes = someBytes(2 * partBytes);
    const upload = uploadFile(fileOf(bytes), {
      baseUrl,
      credential: 'cbk_key',
      singleUpToBytes: 0,
      chunkSizeBytes: partBytes,
      retry: { firstWaitMs: 5, longestWaitMs: 20, keepsTrying: true },
      onState: (state) => void states.push(state),
      ...options,
    });
    return { upload, bytes, states };
  };

  it('reports it at once, retries far beyond its number of tries, and completes when the server is back', async () => {
    const fake = await startFakeServer();
    fake.fault = () => ({ cut: 'early' });
    const { upload, bytes, states } = begin(fake.baseUrl);
    await expect.poll(() => fake.count('start')).toBeGreaterThan(12);
    expect([upload.state, states]).toEqual(['offline', ['offline']]);
    fake.fault = () => undefined;
    expect(await upload.done).toMatchObject({ sha256: sha256(bytes) });
    expect(states).toEqual(['offline', 'uploading', 'completed']);
  });

  it('can be paused, resumed and cancelled while the server is unreachable', async () => {
    const { upload, states } = begin('http://127.0.0.1:9');
    await expect.poll(() => upload.state).toBe('offline');
    upload.pause();
    upload.resume();
    expect(states).toEqual(['offline', 'paused', 'offline']);
    await upload.cancel();
    await expect(upload.done).rejects.toMatchObject({ code: 'UPLOAD_CANCELLED' });
  });

  it('gives up in a program that is not a page, and whenever a number of tries is given', async () => {
    const { upload } = begin('http://127.0.0.1:9', { retry: { firstWaitMs: 1, longestWaitMs: 2 } });
    await expect(upload.done).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    vi.stubGlobal('document', {});
    const { upload: inPage } = begin('http://127.0.0.1:9', { retry: { tries: 2, firstWaitMs: 1 } });
    await expect(inPage.done).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });
});
