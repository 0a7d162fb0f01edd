import { globSync } from 'node:fs';

import { draftOf, operations } from '../contract-draft.ts';
import type { Recipe } from '../world.ts';
import { s3 } from './s3.ts';

const files = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['all.ts', 's3.ts'] }).toSorted();
const modules = (await Promise.all(files.map((file) => import(`./${file}`)))) as readonly object[];
const found = modules
  .flatMap((module) => Object.values(module).filter((exported) => typeof exported === 'object'))
  .flatMap((exported: object) => Object.entries(exported) as Array<[string, Recipe]>);

/** The recipes of this folder's files: each object that they export. */
const own: Readonly<Record<string, Recipe>> = Object.fromEntries(found);
const strange = found.filter(([id], at) => !operations.has(id) || found.findIndex(([other]) => other === id) !== at);
if (strange.length > 0)
  throw new Error(`Recipes of no operation, or two of one: ${strange.map(([id]) => id).join(', ')}`);

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
  // It needs one that another request has set.
  getCommitStatus: 3,
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
