import type { Probe } from './probe.ts';
import { sleep } from './sleep.ts';
import { UploadError } from './upload-error.ts';

/** Nothing moved for so long: the server may be out of reach. */
const silentAfterMs = 800;
/** What neither answers nor moves within this either counts as out of reach: 1.6 seconds in all. */
const certainAfterMs = 800;
/** Between two looks at a server that stays silent; the first wait is `silentAfterMs`, and each doubles. */
const longestLookMs = 15_000;
/** A request that stood still for so long is sent again once the server is back. It doubles each time, because a slow line looks the same. */
const stuckAfterMs = 10_000;
/** The same when the system says that the connection has changed. */
const stuckAtChangeMs = 2_000;

/** One try of a request. */
export interface Attempt {
  /** Aborted with the caller's signal, and when the try stands still while the server can be reached again. */
  readonly signal: AbortSignal;
  /** Tells that bytes went out. A request that never tells it is never cut. */
  readonly moved: (isAllSent: boolean) => void;
}

/** Whether the server can be reached, as far as one upload sees. */
export interface Line {
  /** Runs one try of a request. */
  watch<T>(run: (attempt: Attempt) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Waits before another try: for `ms`, or until the server can be reached again. */
  rest(ms: number, signal: AbortSignal): Promise<void>;
  /** A request failed without an answer. */
  lost(): void;
  /** Ends waits and sends again what stands still, because somebody has reason to think that the server is back. */
  goOn(): void;
  /** Stops listening to the system. */
  close(): void;
}

export interface LineOptions {
  readonly probe: Probe;
  /** Told of each change. */
  readonly tell: (isDown: boolean) => void;
  readonly now?: () => number;
}

interface UnderWay {
  readonly stop: AbortController;
  movedAt: number;
  hasMoved: boolean;
  isAllSent: boolean;
}

export function openLine({ probe, tell, now = () => performance.now() }: LineOptions): Line {
  const underWay = new Set<UnderWay>();
  const midway = () => [...underWay].filter(({ hasMoved, isAllSent }) => hasMoved && !isAllSent);
  let isDown = false;
  let heardAt = now();
  let stuckMs = stuckAfterMs;
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
  const heard = () => {
    heardAt = now();
    set(false);
  };
  const cutStuck = (ms: number): boolean => {
    const stuck = midway().filter(({ movedAt }) => now() - movedAt >= ms);
    for (const { stop } of stuck) stop.abort(stoodStill());
    return stuck.length > 0;
  };
  /** Whether the server is there; undefined when that cannot be seen now. */
  const judge = async (signal: AbortSignal): Promise<boolean | undefined> => {
    const since = heardAt;
    let isThere: boolean | undefined;
    if (probe.fits(underWay.size)) isThere = await probe.ask(certainAfterMs, signal);
    else if (midway().length > 0) {
      await sleep(certainAfterMs, signal);
      isThere = false;
    }
    return heardAt === since ? isThere : undefined;
  };
  /** Looks at the server whenever requests under way are silent. */
  const look = async (signal: AbortSignal): Promise<never> => {
    for (let waitMs = silentAfterMs, nextMs = waitMs; ;) {
      await sleep(waitMs, signal);
      const quietMs = now() - heardAt;
      if (quietMs < silentAfterMs) {
        nextMs = silentAfterMs;
        waitMs = silentAfterMs - quietMs;
        continue;
      }
      const isThere = await judge(signal);
      if (isThere !== undefined) set(!isThere);
      if (isThere && cutStuck(stuckMs)) stuckMs *= 2;
      waitMs = nextMs;
      nextMs = Math.min(longestLookMs, nextMs * 2);
    }
  };
  const goOn = () => {
    wake();
    cutStuck(stuckAtChangeMs);
  };
  const onOffline = () => set(true);
  globalThis.addEventListener?.('online', goOn);
  globalThis.addEventListener?.('offline', onOffline);

  const begin = (one: UnderWay) => {
    underWay.add(one);
    if (underWay.size > 1) return;
    heardAt = now();
    looking = new AbortController();
    look(looking.signal).catch(() => {});
  };
  const end = (one: UnderWay) => {
    underWay.delete(one);
    if (underWay.size === 0) looking?.abort();
  };
  return {
    async watch(run, signal) {
      const one: UnderWay = { stop: new AbortController(), movedAt: now(), hasMoved: false, isAllSent: false };
      const stop = () => one.stop.abort(signal.reason);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      begin(one);
      const moved = (isAllSent: boolean) => {
        Object.assign(one, { movedAt: now(), hasMoved: true, isAllSent });
        heard();
      };
      try {
        const answer = await run({ signal: one.stop.signal, moved });
        heard();
        return answer;
      } catch (error) {
        if (error instanceof UploadError && error.status !== undefined) heard();
        throw error;
      } finally {
        signal.removeEventListener('abort', stop);
        end(one);
      }
    },
    rest: (ms, signal) => sleep(ms, signal, waking.signal),
    lost: () => set(true),
    goOn,
    close() {
      looking?.abort();
      globalThis.removeEventListener?.('online', goOn);
      globalThis.removeEventListener?.('offline', onOffline);
    },
  };
}

function stoodStill(): UploadError {
  return new UploadError({
    code: 'NETWORK_ERROR',
    message: 'The connection stood still, so the request is sent again.',
    retryable: true,
  });
}
