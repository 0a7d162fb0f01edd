/** Does work that waits in the store. Any number of processes may do so at once. */
export interface Outbox {
  /** From now on it also looks regularly. A command never calls this: it does only its own work. */
  begin(): void;
  /** Looks soon for what is due. Call it after a commit. */
  nudge(): void;
  /** Ends. What is left, another process or the next start does. */
  stop(): Promise<void>;
}

/** Due work of one key, such as an endpoint. Work of one key does not hold up that of others. */
interface DueKey<Item> {
  readonly key: string;
  /** How much of it may be under way at once. */
  readonly most: number;
  /**
   * Takes up to `limit` due items, so that no other process does. They are due again after a while, in case this
   * process is killed.
   *
   * @param isLast whether the outbox stops, and tries again nothing that will fail again
   */
  take(limit: number, isLast: boolean): Promise<readonly Item[]>;
}

interface OutboxOptions<Item> {
  /** Returns keys behind this one that have due work, in their order. None: there are no more. */
  due(behind: string): Promise<ReadonlyArray<DueKey<Item>>>;
  /** Does one item, and writes its outcome. It is cut off when the outbox has stopped for `stopTimeoutMs`. */
  attempt(item: Item, signal: AbortSignal): Promise<void>;
  /** Adds work that follows from something else. Returns whether there may be more to add now. */
  readonly add?: ((isStopping: () => boolean) => Promise<boolean>) | undefined;
  /** Items under way at once, of all keys. */
  readonly mostAtOnce: number;
  /** Nudges within this time are one. */
  readonly delayMs: number;
  /** How often it looks for what is due, also from other processes, once it has begun. */
  readonly pollMs: number;
  readonly stopTimeoutMs: number;
  /** Whether it begins what is due until `stopTimeoutMs` after its stop. */
  readonly drains?: boolean;
  onFault(error: unknown): void;
}

/** Begins work as it becomes due. The keys take turns. */
export function outbox<Item>(options: OutboxOptions<Item>): Outbox {
  const { due, attempt, add, mostAtOnce, delayMs, pollMs, stopTimeoutMs, drains = false, onFault } = options;
  const stopping = new AbortController();
  /** How many attempts are under way, by key. */
  const running = new Map<string, number>();
  const attempts = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isWanted = false;
  let hasBegun = false;
  /** The key that was served last. The next search begins behind it, so that no backlog holds up other keys. */
  let servedLast = '';
  /** By `performance.now()`. */
  let stopAt = Infinity;
  const isStopping = () => stopAt !== Infinity;
  const isOver = () => isStopping() && (!drains || performance.now() >= stopAt);

  /** Begins what is due. One run at a time; calls meanwhile lead to another one. */
  function look(): void {
    if (isOver()) return;
    isWanted = true;
    looking ??= Promise.resolve().then(run).catch(onFault);
  }

  async function run(): Promise<void> {
    try {
      do {
        isWanted = false;
        if (add && !isStopping() && (await add(isStopping))) isWanted = true;
        const first = servedLast;
        await beginBehind(first, () => true);
        // Around, up to where it began.
        if (first !== '') await beginBehind('', (key) => key <= first);
      } while (isWanted && !isOver());
    } finally {
      // In the same step as the last look at `isWanted`, so that no call in between is lost.
      looking = undefined;
    }
  }

  async function beginBehind(behind: string, isWithin: (key: string) => boolean): Promise<void> {
    while (attempts.size < mostAtOnce && !isOver()) {
      const found = (await due(behind)).filter(({ key }) => isWithin(key));
      for (const { key, most, take } of found) {
        behind = key;
        const free = Math.min(most - (running.get(key) ?? 0), mostAtOnce - attempts.size);
        if (free <= 0 || isOver()) continue;
        // A key whose work cannot be taken does not hold up those behind it.
        const taken = await take(free, isStopping()).catch((error: unknown) => (onFault(error), []));
        if (taken.length > 0) servedLast = key;
        for (const item of taken) start(key, item);
      }
      if (found.length === 0) return;
    }
  }

  function start(key: string, item: Item): void {
    running.set(key, (running.get(key) ?? 0) + 1);
    const one: Promise<void> = attempt(item, stopping.signal)
      .catch(onFault)
      .finally(() => {
        attempts.delete(one);
        const left = running.get(key)! - 1;
        if (left === 0) running.delete(key);
        else running.set(key, left);
        look();
      });
    attempts.add(one);
  }

  return {
    begin() {
      if (isStopping()) return;
      hasBegun = true;
      poll ??= setInterval(look, pollMs).unref();
    },
    nudge() {
      if (isStopping()) return;
      hasBegun = true;
      timer ??= setTimeout(() => {
        timer = undefined;
        look();
      }, delayMs).unref();
    },
    async stop() {
      stopAt = performance.now() + stopTimeoutMs;
      clearTimeout(timer);
      clearInterval(poll);
      // Without a time limit, nothing more begins, not even within the millisecond that a timer takes.
      if (stopTimeoutMs === 0) stopping.abort();
      const abort = setTimeout(() => stopping.abort(), stopTimeoutMs);
      if (hasBegun) look();
      while (looking || attempts.size > 0) await Promise.all([looking, ...attempts]);
      clearTimeout(abort);
    },
  };
}
