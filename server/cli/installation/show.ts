import type { Command } from 'commander';

import { installation } from '#server/domain/operator/installation.ts';
import { installationView } from '#server/handlers/operator/views/installation.ts';
import { ownVersion } from '#server/version.ts';
import { sizeText } from '../account/view.ts';
import { facts } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';

export function addInstallationShow(parent: Command, operator: Operator): void {
  operator.list(
    parent
      .command('show')
      .description('show the version, what all accounts store, the space on the disk and the work that waits'),
    show,
  );
}

async function show(stores: Stores): Promise<Answer> {
  const found = await installation(stores);
  const own = { version: ownVersion(), nodeVersion: process.versions.node };
  const { disk } = found;
  const rows = [
    ['node', own.nodeVersion],
    ['rows', found.database],
    ['larger files', found.blobs],
    ['accounts', String(found.accounts)],
    ['stores', `${found.files} files, ${sizeText(found.bytes)}`],
    ['blobs to delete', String(found.blobsToDelete)],
    ['purges waiting', String(found.purgesWaiting)],
    ['disk', `${sizeText(disk.freeBytes)} free${disk.isFull ? ': FULL, uploads are refused' : ''}`],
    ['uploads stop below', sizeText(disk.floorBytes)],
  ] as const;
  return { json: installationView(found, own), text: facts(`Cubby ${own.version}`, rows) };
}
