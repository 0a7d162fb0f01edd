import { draftOf, operations } from '../contract-draft.ts';
import type { Recipe } from '../world.ts';
import { account } from './account.ts';
import { apps } from './apps.ts';
import { chunked } from './chunked.ts';
import { delivery } from './delivery.ts';
import { device } from './device.ts';
import { events } from './events.ts';
import { objects } from './objects.ts';
import { operator } from './operator.ts';
import { s3 } from './s3.ts';
import { sessions } from './sessions.ts';
import { fileRequests } from './file-requests.ts';
import { folders } from './folders.ts';
import { trash } from './trash.ts';
import { uploads } from './uploads.ts';

const own = {
  ...objects,
  ...trash,
  ...folders,
  ...fileRequests,
  ...chunked,
  ...uploads,
  ...account,
  ...sessions,
  ...events,
  ...apps,
  ...device,
  ...delivery,
  ...operator,
};

/** A recipe for each operation: of the contract, and of the gateway as `s3.<name>`. */
export const recipes: ReadonlyMap<string, Recipe> = new Map<string, Recipe>([
  ...[...operations.keys()].map((id): [string, Recipe] => [id, own[id] ?? ((world) => draftOf(world, id))]),
  ...Object.entries(s3).map(([name, recipe]): [string, Recipe] => [`s3.${name}`, recipe]),
]);

/**
 * How often an operation is chosen, where it is not 1. Some read the whole installation, some hash passwords. The
 * configurations of buckets are many and alike.
 */
const weights: Readonly<Record<string, number>> = {
  uploadObject: 2,
  putChunkedPart: 1.5,
  completeChunkedUpload: 1.5,
  putUploadBytes: 1.5,
  // Both lead through the same page, whose steps take several requests.
  submitActivation: 5,
  pollDeviceToken: 8,
  // Each needs a deploy in the queue, to which several requests lead.
  runDeployment: 4,
  abortDeployment: 4,
  getDeploymentLogs: 4,
  // Each needs a version in the trash.
  restoreTrash: 4,
  deleteTrash: 4,
  verifyAuditLog: 0.04,
  runJob: 0.4,
  startBackup: 0.1,
  listBackups: 0.1,
  startScrub: 0.1,
  getInstallation: 0.1,
  getMetrics: 0.1,
  confirmClock: 0.2,
  createAccount: 0.3,
  deleteAccount: 0.4,
  submitSharePassword: 1.5,
  submitRequestPassword: 1.5,
  openShare: 1.5,
  's3.PutObject': 2,
  's3.UploadPart': 1.5,
  's3.CompleteMultipartUpload': 1.5,
};

const plainS3 = /^s3\.(Get|Put|Delete)(Bucket|PublicAccessBlock|ObjectLock|ObjectRetention|ObjectLegalHold)/;

/** @param least the least weight: a short run reaches rare operations too */
export function weightsOf(least: number): ReadonlyArray<readonly [weight: number, id: string]> {
  return [...recipes.keys()].map((id) => [Math.max(least, weights[id] ?? (plainS3.test(id) ? 0.15 : 1)), id] as const);
}
