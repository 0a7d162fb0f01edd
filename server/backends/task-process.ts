import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A process was killed: by its time limit, by itself, or by the system. */
export class TaskTooCostly extends Error {
  constructor() {
    super('A task was killed because it took too much time or memory.');
    this.name = 'TaskTooCostly';
  }
}

/** What a process works on. */
interface Task {
  /** Its argument, as JSON. */
  readonly about: object;
  /** The bytes for its input. */
  readonly input: Readable;
  /** Kills it. Then `run()` rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a process may cost. */
interface TaskLimits {
  readonly timeoutMs: number;
}

/**
 * Runs each task in a process of its own. A decoder that a file has taken over then sees no other file, and none of the
 * server's secrets: the process has no environment.
 *
 * @see server/backends/task-child.ts
 */
export class TaskProcesses<Message extends object> {
  readonly #program: string;
  readonly #limits: TaskLimits;
  readonly #running = new Set<ChildProcess>();

  /** @param program the path of a module in JavaScript */
  constructor(program: string, limits: TaskLimits) {
    this.#program = program;
    this.#limits = limits;
  }

  /**
   * Starts a process, and ends it when `keep` has settled.
   *
   * @param keep gets what the process says first, and its output, which need not end
   * @throws {TaskTooCostly}
   * @throws the errors of the input and of `keep`
   */
  async run<T>({ about, input, signal }: Task, keep: (message: Message, output: Readable) => Promise<T>): Promise<T> {
    const child = this.#start(about);
    this.#running.add(child);
    let isLate = false;
    const kill = () => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, this.#limits.timeoutMs);
    signal?.addEventListener('abort', kill);
    try {
      signal?.throwIfAborted();
      const sent = send(input, child);
      const message = (await firstMessage(child)) as Message | undefined;
      if (message) return await keep(message, child.stdout!);
      throw (await sent) ?? (await endOf(child));
    } catch (error) {
      signal?.throwIfAborted();
      throw isLate ? new TaskTooCostly() : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      this.#running.delete(child);
      kill();
      input.destroy();
    }
  }

  /** Kills all processes. What they were doing rejects. */
  close(): void {
    for (const child of this.#running) child.kill('SIGKILL');
  }

  /** Starts the process without an environment, because the server's contains secrets. */
  #start(about: object): ChildProcess {
    return fork(this.#program, [JSON.stringify(about)], {
      // With more arenas, memory that was freed is not used again by other threads.
      env: { MALLOC_ARENA_MAX: '2' },
      execArgv: [],
      stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
      serialization: 'json',
    });
  }
}

/** Sends the input. Returns its error. A process that has ended needs no more of it, which is none. */
async function send(input: Readable, child: ChildProcess): Promise<Error | undefined> {
  let failure: Error | undefined;
  input.once('error', (error) => (failure = error));
  await pipeline(input, child.stdin!).catch(() => {});
  return failure;
}

/** Returns what the process says first. Undefined if it ends without a word. */
function firstMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', resolve);
    // Comes after all messages, which the end of the process may overtake.
    child.once('disconnect', () => resolve(undefined));
  });
}

/** Returns what it means that a process ended without a word. */
async function endOf(child: ChildProcess): Promise<Error> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // The system kills a process that takes its last memory, or that its input has led astray.
  if (child.signalCode !== null) return new TaskTooCostly();
  return new Error(`The process ${child.spawnargs[1]} ended with code ${child.exitCode}.`);
}
