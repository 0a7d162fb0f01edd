import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import type { DeployLogs } from '../../deploy-logs.ts';

/** Returns the file with a deploy's output. The runner writes it, also while the server reads it. */
export function deployLogFile(dataDir: string, deployId: string): string {
  return join(dataDir, 'deploys', `${deployId}.log`);
}

/** The output of deploys in a data folder. */
export function fileDeployLogs(dataDir: string): DeployLogs {
  return {
    async read(deployId, from, limit) {
      const file = await openIfThere(deployLogFile(dataDir, deployId));
      if (!file) return undefined;
      try {
        // One more than the limit, to know whether more follow.
        const { buffer, bytesRead } = await file.read(Buffer.alloc(limit + 1), 0, limit + 1, from);
        return { bytes: buffer.subarray(0, Math.min(bytesRead, limit)), isEnd: bytesRead <= limit };
      } finally {
        await file.close();
      }
    },
  };
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}
