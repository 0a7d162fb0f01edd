import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ImageRefused, type ImageRenderer, type Rendered } from '../image-ports.ts';
import type { FromRenderer, RenderTask } from './messages.ts';

/** The limits of one variant. Beyond the last two, its process is killed. */
export const renderLimits = {
  mostPixels: 50_000_000,
  mostMemoryBytes: 512 * 2 ** 20,
  timeoutMs: 10_000,
};

type Limits = Readonly<typeof renderLimits>;

/** A renderer with processes. */
interface ImageProcesses extends ImageRenderer {
  /** Kills all processes. What they were doing rejects. */
  close(): void;
}

/**
 * Makes each variant in a process of its own. A decoder that an image has taken over then sees no other image, and none
 * of the server's secrets: the process has no environment.
 */
export function imageProcesses(limits: Limits = renderLimits): ImageProcesses {
  const running = new Set<ChildProcess>();
  return {
    async render(source, rendering, keep) {
      const bytes = await source.open();
      const child = startProcess({ rendering, sourceBytes: source.sizeBytes, ...limits });
      running.add(child);
      try {
        return await rendered(child, bytes, limits.timeoutMs, keep);
      } finally {
        running.delete(child);
        child.kill('SIGKILL');
        bytes.destroy();
      }
    },
    close() {
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

/** Starts the process without an environment, because the server's contains secrets. */
function startProcess(task: RenderTask): ChildProcess {
  return fork(join(import.meta.dirname, 'main.js'), [JSON.stringify(task)], {
    // With more arenas, memory that was freed is not used again by other threads.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [],
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    serialization: 'json',
  });
}

async function rendered<T>(
  child: ChildProcess,
  source: Readable,
  timeoutMs: number,
  keep: (rendered: Rendered) => Promise<T>,
): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  try {
    const sent = send(source, child);
    const message = await firstMessage(child);
    if (message?.type === 'refused') throw new ImageRefused(message.reason);
    if (message) return await keep({ ...message, bytes: child.stdout! });
    throw (await sent) ?? (await endOf(child));
  } catch (error) {
    throw isLate ? new ImageRefused('too-costly') : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Sends the image. Returns the error of the image. A process that has ended needs no more of it, which is none. */
async function send(source: Readable, child: ChildProcess): Promise<Error | undefined> {
  let failure: Error | undefined;
  source.once('error', (error) => (failure = error));
  await pipeline(source, child.stdin!).catch(() => {});
  return failure;
}

/** Returns what the process says first. Undefined if it ends without a word. */
function firstMessage(child: ChildProcess): Promise<FromRenderer | undefined> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (message: FromRenderer) => resolve(message));
    // Comes after all messages, which the end of the process may overtake.
    child.once('disconnect', () => resolve(undefined));
  });
}

/** Returns what it means that a process ended without a word. */
async function endOf(child: ChildProcess): Promise<Error> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // The system kills a process that takes its last memory, or that an image has led astray.
  if (child.signalCode !== null) return new ImageRefused('too-costly');
  return new Error(`The process that makes image variants ended with code ${child.exitCode}.`);
}
