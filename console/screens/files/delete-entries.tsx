import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { confirm } from '../../ui/confirm.tsx';
import { changeMany } from './change-many.tsx';
import { countFiles, type FileCount } from './count-files.ts';
import { Deleted } from './deleted.ts';
import type { Entry } from './entry.ts';
import { askKeptDays, expiresEarlier, type KeptDays } from './kept-days.ts';
import { undoOf } from './undo.ts';

/** From so many files on, a person types their number. */
const typedFrom = 101;

/**
 * Says what will happen, asks, and deletes. Resolves to whether something was deleted.
 *
 * @param onRestored called after the deletion was undone
 */
export async function deleteEntries(entries: readonly Entry[], onRestored: () => void): Promise<boolean> {
  const { files } = messages();
  const [kept, count] = await Promise.all([askKeptDays(entries), countFiles(entries)]);
  const isMany = count.files >= typedFrom || count.isMore;
  const isSure = await confirm({
    title: entries.length === 1 ? files.deleteOne(entries[0]!.name) : files.deleteMany(formatNumber(entries.length)),
    text: <DeletionText entries={entries} kept={kept} count={count} />,
    action: files.delete,
    ...(isMany && { typed: formatNumber(count.files) }),
  });
  if (!isSure) return false;
  const deleted = new Deleted();
  const mayUndo = kept.days > 0 || !kept.isExact;
  return changeMany(
    files.deleting,
    entries,
    { action: 'delete', keepDays: kept.sent, deleted },
    {
      said: kept.days > 0 ? files.deletedToTrash : files.deleted,
      action: () => (mayUndo ? undoOf(deleted, onRestored) : undefined),
    },
  );
}

function DeletionText({
  entries,
  kept: { days, isExact, isYielding },
  count: { files: count, isMore },
}: {
  readonly entries: readonly Entry[];
  readonly kept: KeptDays;
  readonly count: FileCount;
}) {
  const { files } = messages();
  const hasFolder = entries.some(({ kind }) => kind === 'folder');
  return (
    <>
      <p>
        {days > 0 ? files.deleteKept(formatNumber(days), isExact) : isExact ? files.deleteForGood : files.deleteText}
      </p>
      {days > 0 && isYielding && <p>{files.deleteYields}</p>}
      {days > 0 && expiresEarlier(entries, days, Date.now()) && <p>{files.deleteExpiring}</p>}
      {hasFolder && (
        <p>
          {files.deleteFolderText} {files.deleteCount(formatNumber(count), isMore)}
        </p>
      )}
    </>
  );
}
