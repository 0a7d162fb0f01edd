/** Takes one piece. Resolves when the next one is requested. */
export type Emit<T> = (piece: T) => Promise<void>;

/** Ends work whose reader has stopped early. It is no failure. */
export class ReaderLeft extends Error {
  constructor() {
    super('The reader has stopped.');
    this.name = 'ReaderLeft';
  }
}

/**
 * Returns the pieces that a piece of work hands out, one at a time. The work begins with the first `next()` and goes on
 * when the next piece is requested. After `return()` it gets {@link ReaderLeft} with its next piece, and `return()`
 * resolves when the work has ended.
 *
 * Deep work hands out its pieces directly. With a generator in each of its layers, a piece would go through all of
 * them.
 */
export function handedOut<T>(work: (emit: Emit<T>) => Promise<void>): AsyncGenerator<T, void> {
  const over = { done: true, value: undefined } as const;
  let running: Promise<void> | undefined;
  let isOver = false;
  let goOn: PromiseWithResolvers<void> | undefined;
  let pending: PromiseWithResolvers<IteratorResult<T, void>> | undefined;

  const emit = (piece: T): Promise<void> => {
    if (isOver) return Promise.reject(new ReaderLeft());
    goOn = Promise.withResolvers();
    pending?.resolve({ done: false, value: piece });
    pending = undefined;
    return goOn.promise;
  };

  /** The work runs only while its reader waits, or after the reader has left. */
  const run = async (): Promise<void> => {
    try {
      await work(emit);
      pending?.resolve(over);
    } catch (error) {
      if (error instanceof ReaderLeft) pending?.resolve(over);
      else if (pending) pending.reject(error);
      else throw error;
    } finally {
      isOver = true;
    }
  };

  return {
    next() {
      if (isOver) return Promise.resolve(over);
      pending = Promise.withResolvers();
      const { promise } = pending;
      if (running) goOn?.resolve();
      else running = run();
      return promise;
    },
    async return() {
      isOver = true;
      goOn?.reject(new ReaderLeft());
      await running;
      return over;
    },
    throw: (error) => Promise.reject(error as Error),
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return();
    },
  };
}
