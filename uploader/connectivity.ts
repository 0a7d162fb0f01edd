import type { Probe } from './probe.ts';
import { sleep } from './sleep.ts';
import { UploadError } from './upload-error.ts';

/** After this much silence the server may be unreachable. */
const silentAfterMs = 800;
/** A probe without a response within this time means unreachable: 1.6 seconds in all. */
const certainAfterMs = 800;
/**
 * Longest wait between two probes of a silent server. The first wait is `silentAfterMs`, and each further one doubles.
 */
const longestLookMs = 15_000;
/**
 * A request that sent nothing for this long is sent again once the server is back. The limit doubles each time, because
 * a slow connection looks the same.
 */
const stuckAfterMs = 10_000;
/** The same limit when the system reports that the connection changed. */
const stuckAtChangeMs = 2_000;

/** One attempt of a request. */
export interface Attempt {
  /**
   * Aborted with the caller's signal. Also aborted when the attempt is stuck although the server is reachable again.
   */
  readonly signal: AbortSignal;
  /** Reports that bytes were sent. An attempt that never reports is never aborted as stuck. */
  readonly moved: (isAllSent: boolean) => void;
}

/** Watches whether the server is reachable, for one upload. */
export interface Connectivity {
  /** Runs one attempt of a request. */
  watch<T>(run: (attempt: Attempt) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Waits before the next attempt: for `ms`, or until the server is reachable again. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Reports that a request failed without a response. */
  reportLost(): void;
  /** Ends waits and resends stuck requests, because the server may be reachable again. */
  retryNow(): void;
  /** Stops listening to the system's connection events. */
  close(): void;
}

interface ConnectivityOptions {
  readonly probe: Probe;
  /** Called on each change. */
  readonly tell: (isDown: boolean) => void;
  readonly now?: () => number;
}

interface UnderWay {
  readonly stop: AbortController;
  movedAt: number;
  hasMoved: boolean;
  isAllSent: boolean;
}

/** The requests in flight, and what is known of the server. */
interface Line {
  readonly probe: Probe;
  readonly now: () => number;
  readonly underWay: Set<UnderWay>;
  /** When the server was last heard. */
  heardAt: number;
  set(isDown: boolean): void;
}

export function watchConnectivity({ probe, tell, now = () => performance.now() }: ConnectivityOptions): Connectivity {
  const underWay = new Set<UnderWay>();
  let isDown = false;
  let waking = new AbortController();
  let looking: AbortController | undefined;

  const wake = () => {
    waking.abort();
    waking = new AbortController();
  };
  const set = (next: boolean) => {
    if (next === isDown) return;
    isDown = next;
    tell(isDown);
    if (!isDown) wake();
  };
  const line: Line = { probe, now, underWay, heardAt: now(), set };
  const retryNow = () => {
    wake();
    cutStuck(line, stuckAtChangeMs);
  };
  const onOffline = () => set(true);
  globalThis.addEventListener?.('online', retryNow);
  globalThis.addEventListener?.('offline', onOffline);

  let stuckMs = stuckAfterMs;
  const onThere = () => {
    if (cutStuck(line, stuckMs)) stuckMs *= 2;
  };
  const begin = (one: UnderWay) => {
    underWay.add(one);
    if (underWay.size > 1) return;
    line.heardAt = now();
    looking = new AbortController();
    look(line, onThere, looking.signal).catch(() => {});
  };
  return {
    async watch(run, signal) {
      const one: UnderWay = { stop: new AbortController(), movedAt: now(), hasMoved: false, isAllSent: false };
      begin(one);
      try {
        return await attempt(line, one, run, signal);
      } finally {
        underWay.delete(one);
        if (underWay.size === 0) looking?.abort();
      }
    },
    wait: (ms, signal) => sleep(ms, signal, waking.signal),
    reportLost: () => set(true),
    retryNow,
    close() {
      looking?.abort();
      globalThis.removeEventListener?.('online', retryNow);
      globalThis.removeEventListener?.('offline', onOffline);
    },
  };
}

function heard(line: Line): void {
  line.heardAt = line.now();
  line.set(false);
}

async function attempt<T>(
  line: Line,
  one: UnderWay,
  run: (attempt: Attempt) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const stop = () => one.stop.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const moved = (isAllSent: boolean) => {
    Object.assign(one, { movedAt: line.now(), hasMoved: true, isAllSent });
    heard(line);
  };
  try {
    const answer = await run({ signal: one.stop.signal, moved });
    heard(line);
    return answer;
  } catch (error) {
    if (error instanceof UploadError && error.status !== undefined) heard(line);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function midway({ underWay }: Line): UnderWay[] {
  return [...underWay].filter(({ hasMoved, isAllSent }) => hasMoved && !isAllSent);
}

function cutStuck(line: Line, ms: number): boolean {
  const stuck = midway(line).filter(({ movedAt }) => line.now() - movedAt >= ms);
  for (const { stop } of stuck) stop.abort(stoodStill());
  return stuck.length > 0;
}

/** Returns whether the server responds. Undefined when that cannot be determined now. */
async function judge(line: Line, signal: AbortSignal): Promise<boolean | undefined> {
  const since = line.heardAt;
  let isThere: boolean | undefined;
  if (line.probe.fits(line.underWay.size)) isThere = await line.probe.ask(certainAfterMs, signal);
  else if (midway(line).length > 0) {
    await sleep(certainAfterMs, signal);
    isThere = false;
  }
  return line.heardAt === since ? isThere : undefined;
}

/** Probes the server while requests in flight are silent. `onThere` is called each time that it responds. */
async function look(line: Line, onThere: () => void, signal: AbortSignal): Promise<never> {
  for (let waitMs = silentAfterMs, nextMs = waitMs; ;) {
    await sleep(waitMs, signal);
    const quietMs = line.now() - line.heardAt;
    if (quietMs < silentAfterMs) {
      nextMs = silentAfterMs;
      waitMs = silentAfterMs - quietMs;
      continue;
    }
    const isThere = await judge(line, signal);
    if (isThere !== undefined) line.set(!isThere);
    if (isThere) onThere();
    waitMs = nextMs;
    nextMs = Math.min(longestLookMs, nextMs * 2);
  }
}

function stoodStill(): UploadError {
  return new UploadError({
    code: 'NETWORK_ERROR',
    message: 'The connection was stuck, so the request is sent again.',
    retryable: true,
  });
}
