import { isExpired } from '#server/features/files/object.ts';
import { spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { FolderJob, FolderPlace } from './folder-job.ts';

/** A file, or a version of the trash, that a job is to change. */
export interface FolderItem extends ObjectAddress {
  readonly versionId?: string;
}

export interface FolderStep {
  readonly items: readonly FolderItem[];
  /** The place behind this step. Null at the end. */
  readonly next: FolderPlace | null;
}

/** Reads the next files of a job. Only those that were there when it began. */
export async function readFolderStep(
  metadata: Reads<'objects' | 'trash'>,
  job: FolderJob,
  now: number,
  limit: number,
): Promise<FolderStep> {
  const placed = { ...job, place: job.place ?? { space: spaces[0] } };
  const isOfTrash = job.action === 'restore' || job.action === 'purge';
  return isOfTrash ? trashStep(metadata, placed, now, limit) : fileStep(metadata, placed, now, limit);
}

type PlacedJob = FolderJob & { readonly place: FolderPlace };

async function fileStep(
  { read }: Reads<'objects'>,
  { accountId, prefix, createdAt, place: { space, key } }: PlacedJob,
  now: number,
  limit: number,
): Promise<FolderStep> {
  const rows = await read.objects.scan({
    ...{ accountId, space, prefix: `${prefix}/`, limit },
    ...(key !== undefined && { from: { behind: key } }),
  });
  const items = rows.filter((file) => file.createdAt <= createdAt && !isExpired(file, now));
  return { items, next: rows.length < limit ? nextSpace(space) : { space, key: rows.at(-1)!.key } };
}

async function trashStep(
  { read }: Reads<'trash'>,
  { accountId, prefix, action, choices, createdAt, place: { space, key, versionId = '' } }: PlacedJob,
  now: number,
  limit: number,
): Promise<FolderStep> {
  const behind = key === undefined ? undefined : { key, versionId };
  const rows = await read.trash.scan({ accountId, space, prefix: `${prefix}/`, behind, limit });
  const last = rows.at(-1);
  const items = rows.filter((version, at) => {
    if (version.deletedAt > createdAt || version.purgeAt <= now) return false;
    // Only the newest version of a key is restored, and only if its file was deleted.
    const isNewest = (at === 0 ? key : rows[at - 1]!.key) !== version.key;
    if (action === 'purge') return true;
    const isWanted = choices.deletedBy === undefined || version.deletingJobId === choices.deletedBy;
    return isNewest && isWanted && version.reason === 'deleted';
  });
  const next = rows.length < limit ? nextSpace(space) : { space, key: last!.key, versionId: last!.versionId };
  return { items, next };
}

function nextSpace(space: FolderPlace['space']): FolderPlace | null {
  const next = spaces[spaces.indexOf(space) + 1];
  return next === undefined ? null : { space: next };
}
