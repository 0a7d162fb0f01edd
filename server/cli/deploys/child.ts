import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a program ended: with an exit code, or because a signal ended it. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether it had been told to end when it ended. */
  readonly wasStopped: boolean;
}

export interface ChildOptions {
  readonly cwd: string;
  /** Nothing else is handed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: (bytes: Buffer) => void;
  /** Ends the program, with everything of its process group. */
  readonly signal: AbortSignal;
  /** For so long it may clear up then. */
  readonly graceMs?: number;
}

/** How often is looked whether anybody of the group is left. */
const lookEveryMs = 50;

/** For so long output is read that comes when the program has ended. */
const lateOutputMs = 1000;

/** Runs a program in a process group of its own until it has ended. */
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
      // What the program has left running on purpose, a service for instance, may hold its output open for ever.
      setTimeout(() => (child.stdout.destroy(), child.stderr.destroy()), lateOutputMs).unref();
    });
    child.once('close', (code, endSignal) => {
      // Whoever ends a program may count on nothing of it being left, also where its first process has gone at once.
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

/** Answers whether anybody of the group was there. */
function killGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    // EPERM: what is left runs as another user.
    if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code!)) return false;
    throw error;
  }
}
