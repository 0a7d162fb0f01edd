import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { noProgram } from './programs.ts';

/**
 * Returns the reason why tests that mount file systems cannot run on this machine, or `undefined` if they can. It
 * tries: many containers forbid it, also to root.
 */
export function noMount(): string | undefined {
  const missing = noProgram('mount', 'umount');
  if (missing !== undefined) return missing;
  const folder = mkdtempSync(join(tmpdir(), 'cubby-mount-'));
  try {
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { encoding: 'utf8' });
    if (status === 0) spawnSync('umount', [folder]);
    return status === 0 ? undefined : `nothing can be mounted here: ${stderr.trim()}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
