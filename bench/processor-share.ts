import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A process that gets no more than a share of one processor. */
export interface LimitedProcess {
  /** Lets it have all again. The process itself must have ended before {@link remove}. */
  lift(): Promise<void>;
  remove(): Promise<void>;
}

const periodMicroseconds = 20_000;

/** The folders of control groups, by their version, and how each states a limit. */
const versions = [
  { root: '/sys/fs/cgroup/cpu', file: 'cpu.cfs_quota_us', all: '-1', limit: (quota: number) => String(quota) },
  { root: '/sys/fs/cgroup', file: 'cpu.max', all: 'max', limit: (quota: number) => `${quota} ${periodMicroseconds}` },
];

/**
 * Limits a process to a share of one processor, such as 0.3, by a control group of Linux. Resolves with undefined where
 * this user may make none.
 */
export async function limitProcessor(pid: number, share: number): Promise<LimitedProcess | undefined> {
  const version = versions.find(({ root }) => existsSync(join(root, 'cgroup.procs')));
  if (!version) return undefined;
  const group = join(version.root, `cubby-bench-${pid}`);
  const set = (file: string, text: string) => writeFile(join(group, file), text);
  try {
    await mkdir(group);
    if (version.file !== 'cpu.max') await set('cpu.cfs_period_us', String(periodMicroseconds));
    await set(version.file, version.limit(Math.round(share * periodMicroseconds)));
    await set('cgroup.procs', String(pid));
  } catch {
    await rmdir(group).catch(() => {});
    return undefined;
  }
  return { lift: () => set(version.file, version.all), remove: () => rmdir(group) };
}
