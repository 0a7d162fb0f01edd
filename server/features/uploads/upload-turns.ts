import { writerHandoverMs } from './limits.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** The right of one request to append to an upload, until a newer request takes it. */
export interface UploadTurn {
  /** Aborted when a newer request takes over. */
  readonly stop: AbortSignal;
  /** Lets the next request go on. May be called twice. */
  end(): void;
}

interface Running {
  readonly controller: AbortController;
  /** Resolves when this request and all before it have ended. */
  readonly ended: Promise<unknown>;
}

/**
 * Lets one request of this process at a time append to an upload. A newer request ends an older one, because a client
 * that asks again has lost the older connection, which the server may not know yet.
 *
 * Other processes are kept out by the upload's `writer` and its revision.
 */
export class UploadTurns {
  readonly #running = new Map<string, Running>();
  readonly #handoverMs: number;

  constructor(handoverMs: number = writerHandoverMs) {
    this.#handoverMs = handoverMs;
  }

  /**
   * Takes the turn, once the older request has stored what it has.
   *
   * @throws UPLOAD_BUSY if the older request takes too long, or an even newer one takes the turn
   */
  async take(uploadId: string): Promise<UploadTurn> {
    const before = this.#running.get(uploadId);
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = { controller, ended: before ? Promise.all([promise, before.ended]) : promise };
    this.#running.set(uploadId, running);
    const end = (): void => {
      resolve();
      void running.ended.then(() => {
        if (this.#running.get(uploadId) === running) this.#running.delete(uploadId);
      });
    };
    if (before) {
      before.controller.abort(new Refusal('UPLOAD_BUSY'));
      if (!(await this.#hasEnded(before.ended)) || controller.signal.aborted) {
        end();
        throw new Refusal('UPLOAD_BUSY');
      }
    }
    return { stop: controller.signal, end };
  }

  async #hasEnded(ended: Promise<unknown>): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), this.#handoverMs);
    timer.unref();
    try {
      return await Promise.race([ended.then(() => true), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
