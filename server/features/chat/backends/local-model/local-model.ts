import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { ChatAnswer, ChatTurn } from '../../conversation/conversation.ts';
import { ChatModelUnavailable, type ChatModel, type DeltaReader } from '../../models/chat-model.ts';
import type { Log } from '#server/log.ts';
import { givenUp, tooLong } from '../model-errors.ts';
import { requestProgress, type RequestProgress } from '../request-progress.ts';
import { deltasOf } from '../whole-answer.ts';
import type { FromProcess, LocalAnswer, ToProcess } from './messages.ts';

export interface LocalModelOptions {
  /** Absolute path of a GGUF file. */
  readonly file: string;
  /** Creates the ids of tool calls. */
  readonly newCallId: () => string;
  readonly log: Log;
  /** Starts the process. Tests replace it. */
  readonly start?: (file: string) => ChildProcess;
  /** Maximum number of waiting requests. */
  readonly maxWaiting?: number;
  /**
   * Pauses before restarts of the process. The last one repeats. A process that became ready starts the list again.
   */
  readonly restartPausesMs?: readonly number[];
}

interface Waiting {
  readonly id: number;
  readonly turn: ChatTurn;
  readonly progress: RequestProgress;
  readonly onBegun: () => void;
  readonly resolve: (answer: ChatAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A model that runs in its own process on this machine, so that its computing and its crashes do not affect the server.
 * It handles one request at a time. A few others wait.
 */
export class LocalModel implements ChatModel {
  readonly isDevelopmentResponder = false;
  readonly #options: Required<LocalModelOptions>;
  readonly #waiting: Waiting[] = [];
  #running: Waiting | undefined;
  #child: ChildProcess | undefined;
  #isReady = false;
  #isOver = false;
  #restarts = 0;
  #lastId = 0;

  constructor(options: LocalModelOptions) {
    this.#options = { start: startProcess, maxWaiting: 8, restartPausesMs: [1000, 5000, 30_000], ...options };
  }

  begin(): void {
    this.#child = this.#start();
  }

  async complete(turn: ChatTurn, signal: AbortSignal, onBegun: () => void = () => {}): Promise<ChatAnswer> {
    if (signal.aborted) throw givenUp(signal);
    if (this.#isOver) throw new ChatModelUnavailable('The local model is not there.');
    if (this.#waiting.length >= this.#options.maxWaiting)
      throw new ChatModelUnavailable('Too many requests wait for the local model.');
    return new Promise<ChatAnswer>((resolve, reject) => {
      const request: Waiting = {
        id: ++this.#lastId,
        turn,
        progress: requestProgress(onBegun),
        onBegun,
        resolve,
        reject,
      };
      this.#waiting.push(request);
      signal.addEventListener('abort', () => this.#giveUp(request, signal), { once: true });
      this.#next();
    });
  }

  /** The process returns whole answers, so the stream comes all at once. */
  async stream(turn: ChatTurn, signal: AbortSignal, { emit, onBegun }: DeltaReader): Promise<void> {
    for (const delta of deltasOf(await this.complete(turn, signal, onBegun))) await emit(delta);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#failAll('The server stops.');
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  #start(): ChildProcess {
    this.#isReady = false;
    const child = this.#options.start(this.#options.file);
    child.on('message', (message: FromProcess) => this.#receive(message));
    child.once('error', () => {});
    child.once('exit', (code, signal) => this.#restart(code, signal));
    return child;
  }

  #restart(code: number | null, signal: NodeJS.Signals | null): void {
    const { log, restartPausesMs } = this.#options;
    this.#isReady = false;
    this.#failAll('The process of the local model ended.');
    if (this.#isOver) return;
    const pauseMs = restartPausesMs[Math.min(this.#restarts++, restartPausesMs.length - 1)] ?? 30_000;
    log.error({ code, signal, pauseMs }, 'the process of the model file ended; it is started again');
    setTimeout(() => {
      if (!this.#isOver) this.#child = this.#start();
    }, pauseMs).unref();
  }

  #send(message: ToProcess): void {
    // A process that is ending takes no message. Its `exit` follows.
    if (this.#child?.connected) this.#child.send(message, () => {});
  }

  #next(): void {
    if (!this.#isReady || this.#running) return;
    this.#running = this.#waiting.shift();
    if (!this.#running) return;
    this.#running.progress.sent();
    this.#send({ type: 'ask', id: this.#running.id, turn: this.#running.turn });
  }

  #failAll(message: string): void {
    const left = [...(this.#running ? [this.#running] : []), ...this.#waiting.splice(0)];
    this.#running = undefined;
    for (const { progress, reject } of left) {
      progress.done();
      reject(new ChatModelUnavailable(message));
    }
  }

  #receive(message: FromProcess): void {
    if (message.type === 'not-started') return this.#notStarted(message);
    if (message.type === 'ready') {
      this.#options.log.info({ contextTokens: message.contextTokens }, 'the model file is loaded');
      this.#isReady = true;
      this.#restarts = 0;
      return this.#next();
    }
    if (message.id !== this.#running?.id) return;
    const { progress, onBegun, resolve, reject } = this.#running;
    this.#running = undefined;
    progress.done();
    if (message.type === 'answered' && isEmpty(message.answer)) {
      onBegun();
      reject(new ChatModelUnavailable('The local model said nothing.'));
    } else if (message.type === 'answered') {
      const toolCalls = message.answer.toolCalls.map((call) => ({ id: this.#options.newCallId(), ...call }));
      resolve({ ...message.answer, toolCalls });
    } else
      reject(message.type === 'too-long' ? tooLong() : new ChatModelUnavailable('The local model gave no answer.'));
    this.#next();
  }

  #notStarted({ reason, message }: Extract<FromProcess, { readonly type: 'not-started' }>): void {
    const { log } = this.#options;
    if (reason === 'no-model') return log.error({ reason: message }, 'the model file could not be loaded');
    // Another start would not find the package either.
    this.#isOver = true;
    log.error(
      'CUBBY_AI_MODEL_FILE needs the package node-llama-cpp, which does not come with Cubby: ' +
        'run "npm install --no-save node-llama-cpp@3" and start again',
    );
  }

  /** Rejects the request at once. The next one begins when the process has stopped generating. */
  #giveUp(request: Waiting, signal: AbortSignal): void {
    const at = this.#waiting.indexOf(request);
    if (at >= 0) this.#waiting.splice(at, 1);
    else if (this.#running === request) {
      request.progress.cutOff();
      this.#send({ type: 'give-up', id: request.id });
    }
    request.progress.done();
    request.reject(givenUp(signal));
  }
}

function isEmpty({ text, toolCalls, finishReason }: LocalAnswer): boolean {
  return !text && toolCalls.length === 0 && finishReason === 'stop';
}

/** Starts the process without an environment, because the server's contains secrets. Its output is discarded. */
function startProcess(file: string): ChildProcess {
  return fork(join(import.meta.dirname, 'process.ts'), [file], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
}
