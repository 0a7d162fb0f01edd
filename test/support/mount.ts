import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the reason why tests that mount file systems cannot run on this machine, or `undefined` if they can. Debian
 * as root must allow mounts, so the test runs and fails there instead.
 */
export function noMount(): string | undefined {
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'cubby-mount-'));
  try {
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { encoding: 'utf8' });
    if (status === 0) spawnSync('umount', [folder]);
    return status === 0 ? undefined : `nothing can be mounted here: ${(stderr ?? 'there is no mount').trim()}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
