import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of a bench that runs in a process of its own. */
export interface Part {
  readonly pid: number;
  readonly url: string;
}

/** Starts a file of this folder. It tells its address when it listens. The process is added to `children`. */
export async function startPart(children: ChildProcess[], file: string, ...args: readonly string[]): Promise<Part> {
  const child = fork(join(import.meta.dirname, file), args);
  children.push(child);
  const [url] = (await once(child, 'message')) as [string];
  return { pid: child.pid!, url };
}
