import type { Clock } from '../ports/clock.ts';
import { BackupRefused, readJson, writeJson, type BackupTarget } from './target.ts';

/** The process that writes to a target. */
interface LockOwner {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
}

interface Lock extends LockOwner {
  /** Milliseconds since the epoch, by the clock of the owner's machine. */
  readonly expires_at: number;
}

export const lockName = 'lock.json';
const lifetimeMs = 90_000;
const renewEveryMs = 20_000;

export interface TargetLock {
  /** @throws {BackupRefused} if another process has taken the target meanwhile */
  requireOwn(): Promise<void>;
  release(): Promise<void>;
}

interface Deps {
  readonly target: BackupTarget;
  readonly clock: Clock;
  /** Whether a process of this machine runs. */
  readonly isRunning: (pid: number) => boolean;
}

/**
 * Keeps other processes from writing to a target. The lock of a process that was killed ends at once on its own
 * machine, and after 90 seconds elsewhere.
 *
 * @throws {BackupRefused} if another process has it
 */
export async function lockTarget({ target, clock, isRunning }: Deps, owner: LockOwner): Promise<TargetLock> {
  const find = () => readJson<Lock>(target, lockName);
  const write = () => writeJson(target, lockName, { ...owner, expires_at: clock.now() + lifetimeMs });
  const isFree = (lock: Lock | undefined) =>
    lock === undefined || lock.expires_at <= clock.now() || (lock.host === owner.host && !isRunning(lock.pid));
  const before = await find();
  if (!isFree(before)) throw taken(target, before!);
  await write();
  // If two processes write at the same moment, the last one gets the lock.
  const now = await find();
  if (now?.id !== owner.id) throw taken(target, now);
  // A target that cannot be reached fails the backup itself.
  const timer = setInterval(() => void write().catch(() => {}), renewEveryMs);
  timer.unref();
  return {
    async requireOwn() {
      const lock = await find();
      if (lock?.id !== owner.id) throw taken(target, lock);
    },
    async release() {
      clearInterval(timer);
      if ((await find())?.id === owner.id) await target.documents.delete(lockName);
    },
  };
}

function taken({ address }: BackupTarget, lock: Lock | undefined): BackupRefused {
  const who = lock ? `process ${lock.pid} on ${lock.host}` : 'another process';
  return new BackupRefused(
    `Another backup is writing to ${address}: ${who}. Wait until it ends. If it was killed on another machine, ` +
      'this works again after 90 seconds.',
  );
}
