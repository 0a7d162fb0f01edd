import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** The end of a program: by itself with an exit code, or by a signal. */
interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether it was told to stop before it ended. */
  readonly wasStopped: boolean;
}

export interface ChildOptions {
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: (bytes: Buffer) => void;
  /** Ends the program and its process group. */
  readonly signal: AbortSignal;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
}

/** How often the process group is checked for remaining processes. */
const lookEveryMs = 50;

/** Time for output that arrives after the program ended. */
const lateOutputMs = 1000;

/** Runs a program in its own process group until it ends. */
export function runChild(
  program: string,
  args: readonly string[],
  { cwd, env, output, signal, graceMs = 10_000 }: ChildOptions,
): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let ending: Promise<void> | undefined;
    const end = () => void (ending ??= endGroup(child.pid, graceMs));
    signal.addEventListener('abort', end);
    child.stdout.on('data', output);
    child.stderr.on('data', output);
    child.once('error', reject);
    child.once('exit', () => {
      signal.removeEventListener('abort', end);
      // A process that the program left running on purpose, such as a service, may hold the output open for ever.
      setTimeout(() => (child.stdout.destroy(), child.stderr.destroy()), lateOutputMs).unref();
    });
    child.once('close', (code, endSignal) => {
      // After a stop, waits until the whole group is gone, even if its first process ended at once.
      void (ending ?? Promise.resolve()).then(
        () => resolve({ code, signal: endSignal, wasStopped: ending !== undefined }),
        reject,
      );
    });
  });
}

async function endGroup(pid: number | undefined, graceMs: number): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', lookEveryMs * 20],
  ] as const) {
    if (!killGroup(pid, signal)) return;
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += lookEveryMs) {
      await sleep(lookEveryMs);
      if (!killGroup(pid, 0)) return;
    }
  }
}

/** Returns whether the group had any process. */
function killGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    // EPERM: the remaining processes run as another user.
    if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code!)) return false;
    throw error;
  }
}
