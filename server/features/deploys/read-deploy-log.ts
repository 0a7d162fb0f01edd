import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { signCursor, verifyCursor } from '#server/domain/signed-cursor.ts';
import type { DeployLogs } from './deploy-logs.ts';
import { transitions, type Deploy } from './deploy.ts';
import { findDeploy, type NamedDeploy } from './find-deploy.ts';
import { logLines } from './log-lines.ts';

interface Deps {
  readonly metadata: Reads<'apps' | 'deploys'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
  readonly logs: DeployLogs;
}

export interface ReadDeployLog extends NamedDeploy {
  readonly cursor: string | undefined;
  /** The most lines, at least 1. */
  readonly limit: number;
}

/** A line, with the cursor behind it. */
export interface LoggedLine {
  readonly text: string;
  readonly cursor: string;
}

export interface LogPage {
  readonly lines: readonly LoggedLine[];
  /** The cursor behind the last line. */
  readonly cursor: string;
  /** Whether the deploy has ended, and no line follows. */
  readonly isComplete: boolean;
  readonly deploy: Deploy;
}

/** Bytes that one page reads, enough for many lines of the longest kind. */
const pageBytes = 131_072;

const purpose = 'deploy-log-cursor';

/**
 * Returns the lines of a deploy's output from a cursor on. A line that is still being written waits for its end.
 *
 * @throws APP_NOT_FOUND, DEPLOYMENT_NOT_FOUND, DEPLOYMENT_LOG_NOT_FOUND, INVALID_CONTINUATION_TOKEN
 */
export async function readDeployLog(
  { metadata, secrets, logs }: Deps,
  { cursor, limit, ...named }: ReadDeployLog,
): Promise<LogPage> {
  // The deploy is read before its output, so that one that has ended has all of it.
  const deploy = await findDeploy(metadata.read, named);
  const hasEnded = Object.keys(transitions[deploy.state]).length === 0;
  const from = cursor === undefined ? 0 : offsetOf(secrets, deploy.id, cursor);
  const piece = await logs.read(deploy.id, from, pageBytes);
  if (!piece && deploy.tries > 0 && hasEnded) throw new Refusal('DEPLOYMENT_LOG_NOT_FOUND');
  const { bytes, isEnd } = piece ?? { bytes: new Uint8Array(), isEnd: true };
  const found = logLines(bytes, { isLast: isEnd && hasEnded, limit });
  const cursorAt = (offset: number) => signCursor(secrets, purpose, (from + offset).toString(36), [deploy.id]);
  const end = found.at(-1)?.end ?? 0;
  return {
    lines: found.map((line) => ({ text: line.text, cursor: cursorAt(line.end) })),
    cursor: cursorAt(end),
    isComplete: hasEnded && isEnd && end === bytes.length,
    deploy,
  };
}

/** @throws INVALID_CONTINUATION_TOKEN */
function offsetOf(secrets: Pick<Secrets, 'verify'>, deployId: string, cursor: string): number {
  const [position] = verifyCursor(secrets, purpose, cursor, { form: /^[0-9a-z]{1,11}$/, binding: [deployId] });
  return Number.parseInt(position, 36);
}
