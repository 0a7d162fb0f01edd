import { pause } from '#server/event-loop.ts';
import type { Deploy } from './deploy.ts';
import { readDeployLog, type LoggedLine, type LogPage, type ReadDeployLog } from './read-deploy-log.ts';

type Deps = Parameters<typeof readDeployLog>[0];

interface FollowDeployLog extends Omit<ReadDeployLog, 'limit'> {
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Whether the caller may still read. Checked at each keep-alive. */
  readonly mayGoOn: () => Promise<boolean>;
  /** A keep-alive is sent after this long without a line. */
  readonly keepAliveMs?: number;
  /** How often it looks for further lines. */
  readonly pollMs?: number;
}

/** A step of a stream: a line, the end of the deploy, or a keep-alive. */
export type LogStep =
  | { readonly line: LoggedLine }
  | { readonly ended: Deploy; readonly cursor: string }
  | { readonly keepAlive: true };

const stepLines = 200;

/**
 * Returns the lines of a deploy's output as they are written, until the deploy has ended.
 *
 * @throws what {@link readDeployLog} throws, at once
 */
export async function followDeployLog(deps: Deps, command: FollowDeployLog): Promise<AsyncGenerator<LogStep>> {
  // The first page is read here, so that a wrong cursor gets a refusal and not a stream.
  return steps(deps, command, await readDeployLog(deps, { ...command, limit: stepLines }));
}

async function* steps(deps: Deps, command: FollowDeployLog, first: LogPage): AsyncGenerator<LogStep> {
  const { signal, mayGoOn, keepAliveMs = 15_000, pollMs = 1000 } = command;
  let quietSince = performance.now();
  for (let page = first; !signal.aborted;) {
    const { cursor, lines, isComplete, deploy } = page;
    for (const line of lines) yield { line };
    if (isComplete) {
      yield { ended: deploy, cursor };
      return;
    }
    if (lines.length > 0) quietSince = performance.now();
    else await pause(pollMs, signal);
    if (performance.now() - quietSince >= keepAliveMs) {
      if (!(await mayGoOn())) return;
      yield { keepAlive: true };
      quietSince = performance.now();
    }
    if (signal.aborted) return;
    page = await readDeployLog(deps, { ...command, cursor, limit: stepLines });
    // Checked here too, because output without a pause has no keep-alive.
    if (page.lines.length > 0 && !(await mayGoOn())) return;
  }
}
