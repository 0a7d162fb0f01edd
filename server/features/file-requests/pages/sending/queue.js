/** The files that a sender has chosen, and what happens to them. */
import { giveUp, transfer } from './transfer.js';

/** Files that are sent at the same time. */
const parallel = 3;
/** Attempts without progress, before a person has to decide. */
const maxAttempts = 8;
const firstPauseMs = 1000;
const lastPauseMs = 30_000;

/** States of a file: waiting, sending, broken (tried again soon), stored, failed. */
export class SendingQueue {
  items = [];
  isPaused = false;
  #isStarted = false;
  #to;
  #onChange;
  #stop = new AbortController();
  #turn = Promise.resolve();
  #wakers = new Set();

  constructor({ address, sender, onChange }) {
    this.#to = { address, sender, inTurn: (start) => this.#inTurn(start) };
    this.#onChange = onChange;
  }

  get isSending() {
    return this.items.some(({ state }) => state === 'sending' || state === 'broken');
  }

  add(files) {
    for (const { file, path } of files)
      this.items.push({ file, path, state: 'waiting', sentBytes: 0, attempts: 0, stop: undefined, error: undefined });
    this.#next();
  }

  /** Sends all files that wait, and those that are added later. */
  start() {
    this.#isStarted = true;
    this.resume();
  }

  pause() {
    this.isPaused = true;
    this.#stop.abort();
    this.#onChange();
  }

  resume() {
    this.isPaused = false;
    this.#stop = new AbortController();
    this.#next();
  }

  retry(item) {
    Object.assign(item, { state: 'waiting', attempts: 0, error: undefined });
    this.#next();
  }

  remove(item) {
    this.items = this.items.filter((one) => one !== item);
    item.stop?.abort();
    if (item.state !== 'stored') void giveUp(item, this.#to);
    this.#next();
  }

  /** Ends the pauses before further attempts. */
  wake() {
    for (const wake of this.#wakers) wake();
  }

  #next() {
    if (this.#isStarted && !this.isPaused) {
      let free = parallel - this.items.filter(({ state }) => state === 'sending' || state === 'broken').length;
      for (const item of this.items) if (item.state === 'waiting' && free-- > 0) void this.#send(item);
    }
    this.#onChange();
  }

  async #send(item) {
    item.stop = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, item.stop.signal]);
    item.state = 'sending';
    while (item.state !== 'stored') {
      try {
        await transfer(item, this.#to, (bytes) => this.#note(item, bytes), signal);
        item.state = 'stored';
      } catch (error) {
        if (signal.aborted || !error.isPassing || ++item.attempts >= maxAttempts) {
          Object.assign(item, signal.aborted ? { state: 'waiting' } : { state: 'failed', error });
          break;
        }
        item.state = 'broken';
        this.#onChange();
        await this.#rest(error.retryAfterMs ?? Math.min(lastPauseMs, firstPauseMs * 2 ** (item.attempts - 1)), signal);
        item.state = 'sending';
      }
    }
    this.#next();
  }

  #note(item, bytes) {
    if (bytes > item.sentBytes) item.attempts = 0;
    item.sentBytes = bytes;
    this.#onChange();
  }

  #rest(ms, signal) {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#wakers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wakers.add(end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  #inTurn(start) {
    const started = this.#turn.then(start);
    this.#turn = started.catch(() => {});
    return started;
  }
}
