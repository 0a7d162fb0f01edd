import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import type { ChatAnswer, ChatTurn } from '#server/domain/chat/conversation.ts';
import { ChatModelUnavailable, type ChatModel } from '#server/domain/chat/chat-model.ts';
import type { Log } from '#server/log.ts';
import { givenUp, tooLong } from '../unanswered.ts';
import { workWatch, type WorkWatch } from '../work-watch.ts';
import type { FromProcess, LocalAnswer, ToProcess } from './messages.ts';

export interface LocalModelOptions {
  /** Absolute path of a GGUF file. */
  readonly file: string;
  /** Names the tool calls of the model. */
  readonly newCallId: () => string;
  readonly log: Log;
  /** Starts the process; tests put another one in its place. */
  readonly start?: (file: string) => ChildProcess;
  /** Requests that wait for the one before them, at most. */
  readonly maxWaiting?: number;
  /** Pauses before the process is started again, the last one for good; a process that got ready begins anew. */
  readonly restartPausesMs?: readonly number[];
}

interface Waiting {
  readonly id: number;
  readonly turn: ChatTurn;
  readonly watch: WorkWatch;
  readonly onBegun: () => void;
  readonly resolve: (answer: ChatAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A model in a process of its own on this machine: what it computes keeps nobody else waiting, and a crash of it is not
 * one of the server. It takes one request at a time; a few others wait.
 */
export function localModel(options: LocalModelOptions): ChatModel {
  const {
    file,
    newCallId,
    log,
    start = startProcess,
    maxWaiting = 8,
    restartPausesMs = [1000, 5000, 30_000],
  } = options;
  const waiting: Waiting[] = [];
  let running: Waiting | undefined;
  let child: ChildProcess | undefined;
  let isReady = false;
  let isOver = false;
  let restarts = 0;
  let lastId = 0;

  function tell(message: ToProcess): void {
    // A process that is just ending takes nothing; its end is told apart.
    if (child?.connected) child.send(message, () => {});
  }

  function next(): void {
    if (!isReady || running) return;
    running = waiting.shift();
    if (!running) return;
    running.watch.sent();
    tell({ type: 'ask', id: running.id, turn: running.turn });
  }

  function failAll(words: string): void {
    const left = running ? [running, ...waiting.splice(0)] : waiting.splice(0);
    running = undefined;
    for (const { watch, reject } of left) {
      watch.done();
      reject(new ChatModelUnavailable(words));
    }
  }

  function heard(message: FromProcess): void {
    if (message.type === 'not-started') return notStarted(message);
    if (message.type === 'ready') {
      log.info({ contextTokens: message.contextTokens }, 'the model file is loaded');
      isReady = true;
      restarts = 0;
      return next();
    }
    if (message.id !== running?.id) return;
    const { watch, onBegun, resolve, reject } = running;
    running = undefined;
    watch.done();
    if (message.type === 'answered' && isEmpty(message.answer)) {
      onBegun();
      reject(new ChatModelUnavailable('The local model said nothing.'));
    } else if (message.type === 'answered')
      resolve({ ...message.answer, toolCalls: message.answer.toolCalls.map((call) => ({ id: newCallId(), ...call })) });
    else reject(message.type === 'too-long' ? tooLong() : new ChatModelUnavailable('The local model gave no answer.'));
    next();
  }

  function notStarted({ reason, words }: Extract<FromProcess, { readonly type: 'not-started' }>): void {
    if (reason === 'no-package') {
      // Another start would not find it either.
      isOver = true;
      log.error(
        'CUBBY_AI_MODEL_FILE needs the package node-llama-cpp, which does not come with Cubby: run "npm install --no-save node-llama-cpp@3" and start again',
      );
    } else log.error({ reason: words }, 'the model file could not be loaded');
  }

  function begin(): void {
    isReady = false;
    child = start(file);
    child.on('message', heard);
    child.once('error', () => {});
    child.once('exit', (code, signal) => {
      isReady = false;
      failAll('The process of the local model ended.');
      if (isOver) return;
      const pauseMs = restartPausesMs[Math.min(restarts++, restartPausesMs.length - 1)] ?? 30_000;
      log.error({ code, signal, pauseMs }, 'the process of the model file ended; it is started again');
      setTimeout(() => void (isOver || begin()), pauseMs).unref();
    });
  }

  begin();
  return {
    isDevelopmentResponder: false,
    async complete(turn, signal, onBegun = () => {}) {
      if (signal.aborted) throw givenUp(signal);
      if (isOver) throw new ChatModelUnavailable('The local model is not there.');
      if (waiting.length >= maxWaiting) throw new ChatModelUnavailable('Too many requests wait for the local model.');
      return new Promise<ChatAnswer>((resolve, reject) => {
        const request: Waiting = { id: ++lastId, turn, watch: workWatch(onBegun), onBegun, resolve, reject };
        waiting.push(request);
        signal.addEventListener('abort', () => giveUp(request, signal), { once: true });
        next();
      });
    },
    async close() {
      isOver = true;
      failAll('The server stops.');
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child!.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };

  /** Whoever asked is told at once; the next one's turn comes when the process has stopped writing. */
  function giveUp(request: Waiting, signal: AbortSignal): void {
    const at = waiting.indexOf(request);
    if (at >= 0) waiting.splice(at, 1);
    else if (running === request) {
      request.watch.cutOff();
      tell({ type: 'give-up', id: request.id });
    }
    request.watch.done();
    request.reject(givenUp(signal));
  }
}

function isEmpty({ text, toolCalls, finishReason }: LocalAnswer): boolean {
  return !text && toolCalls.length === 0 && finishReason === 'stop';
}

/** It needs nothing of the server's environment, which holds secrets; and what it prints is for nobody. */
function startProcess(file: string): ChildProcess {
  return fork(join(import.meta.dirname, 'process.ts'), [file], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });
}
