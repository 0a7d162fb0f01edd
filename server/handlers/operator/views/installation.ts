import type { Installation } from '#server/domain/operator/installation.ts';

interface Process {
  readonly version: string;
  readonly nodeVersion: string;
}

/** Returns the installation as the operator's API and `--json` show it. */
export function installationView(of: Installation, { version, nodeVersion }: Process) {
  return {
    version,
    node_version: nodeVersion,
    database: of.database,
    blobs: of.blobs,
    accounts: of.accounts,
    used_objects: of.files,
    used_bytes: of.bytes,
    blobs_to_delete: of.blobsToDelete,
    purges_waiting: of.purgesWaiting,
    disk: {
      full: of.disk.isFull,
      free_bytes: Math.max(0, Math.floor(of.disk.freeBytes)),
      min_free_bytes: of.disk.floorBytes,
      reserve_bytes: of.disk.reserveBytes,
    },
  };
}
