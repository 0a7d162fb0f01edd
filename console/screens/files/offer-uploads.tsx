import { getSettings } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { existingFiles, type ExistingFiles } from './existing-files.ts';
import { isStoredBefore } from './interrupted.ts';
import type { Place } from './place.ts';
import { chosenUploads, metNames, takenBy, type Choice, type PlacedFile } from './taken-names.ts';
import { addUploads, type FoundFile } from './uploads.ts';

/** The names are not waited for longer, so that a slow list stops no upload. */
const mostWaitMs = 10_000;

/**
 * Uploads files into a folder. If some have names that people see there already, whatever their keys, it asks once what
 * to do with all of them.
 */
export async function offerUploads(place: Place, found: readonly FoundFile[]): Promise<void> {
  const placed = await placedIn(place, found);
  const existing = await existingFiles(
    placed.map(({ folder }) => folder),
    AbortSignal.timeout(mostWaitMs),
  ).catch(() => undefined);
  // Without the names, the server still replaces no public file, and gives a private one another key.
  if (!existing) return addUploads(place, found);
  const met = metNames(placed, existing);
  if (met.length === 0) return addUploads(place, chosenUploads(placed, existing, { choice: 'skip', keepDays: 0 }));
  const { keep_deleted_days: keepDays } = await ask(getSettings());
  const choice = await openDialog<Choice>((close) => (
    <TakenNames all={found.length} met={met} existing={existing} keepDays={keepDays} close={close} />
  ));
  if (choice) addUploads(place, chosenUploads(placed, existing, { choice, keepDays }));
}

async function placedIn({ prefix }: Place, found: readonly FoundFile[]): Promise<PlacedFile[]> {
  const { objectPlace } = await import('#dist/modules/uploader/index.js');
  return found.map((one) => {
    const { prefix: folder } = objectPlace(one.path, prefix);
    return {
      found: one,
      folder: folder === undefined ? '' : `${folder}/`,
      isStored: isStoredBefore(prefix, one.path, one.file),
    };
  });
}

/** Names that are shown in the question. */
const mostShown = 5;

function TakenNames({
  all,
  met,
  existing,
  keepDays,
  close,
}: {
  /** How many files are uploaded. */
  readonly all: number;
  readonly met: readonly PlacedFile[];
  readonly existing: ExistingFiles;
  readonly keepDays: number;
  readonly close: (choice?: Choice) => void;
}) {
  const { files, common } = messages();
  const replaced = met.flatMap((one) => takenBy(one, existing));
  return (
    <Dialog
      title={files.takenTitle(formatNumber(met.length))}
      onClose={() => close()}
      actions={
        <>
          <Button autofocus onClick={() => close()}>
            {common.cancel}
          </Button>
          <Button onClick={() => close('skip')}>{files.takenSkip}</Button>
          <Button kind="danger" onClick={() => close('replace')}>
            {files.takenReplace}
          </Button>
          <Button kind="first" onClick={() => close('both')}>
            {files.takenBoth}
          </Button>
        </>
      }
    >
      <div class="prose">
        <p>{files.takenText(formatNumber(met.length), formatNumber(all))}</p>
        <ul>
          {met.slice(0, mostShown).map(({ found }) => (
            <li key={found.path}>
              <bdi>{found.path}</bdi>
            </li>
          ))}
          {met.length > mostShown && <li>…</li>}
        </ul>
        {replaced.some((file) => file.private) && (
          <p>{keepDays > 0 ? files.takenPrivate(formatNumber(keepDays)) : files.takenPrivateGone}</p>
        )}
        {replaced.some((file) => !file.private) && <p>{files.takenPublic}</p>}
      </div>
    </Dialog>
  );
}
