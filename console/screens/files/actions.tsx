import { isOn } from '../../app/config.ts';
import { hasScope } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { openDialog } from '../../ui/dialogs.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import type { Command } from '../../ui/palette.tsx';
import { toast, toastError } from '../../ui/toasts.tsx';
import { copyLink, downloadFile } from './download.ts';
import type { Change } from './changes.ts';
import type { Entry, FileEntry } from './entry.ts';
import { askForFolder } from './add-buttons.tsx';
import type { Place } from './place.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { chooseFiles, chooseFolder } from './choose-files.ts';

/** Everything that can be done with the rows of a folder. */
export interface Actions {
  readonly canWrite: boolean;
  /** Whether the server has share links. */
  readonly canShare: boolean;
  remove(entries: readonly Entry[]): void;
  rename(entry: Entry): void;
  share(entries: readonly Entry[]): void;
  settings(entries: readonly Entry[]): void;
  menuOf(entry: Entry, open: (entry: Entry) => void): MenuItem[];
  forMany(entries: readonly Entry[]): MenuItem[];
  readonly addCommandsOf: readonly Command[];
}

interface Given {
  readonly place: Place;
  readonly canWrite: boolean;
  /** Called after something was changed. */
  readonly onDone: () => void;
}

export function actionsFor({ place, canWrite, onDone }: Given): Actions {
  const { files } = messages();
  const act = (run: Promise<boolean | void | undefined>) =>
    void run.then((isDone) => void (isDone && onDone())).catch(toastError);
  const remove = (entries: readonly Entry[]) => canWrite && act(removeEntries(entries, onDone));
  // This one is there at once, because people type the name right behind F2.
  const rename = (entry: Entry) =>
    canWrite && act(openDialog<boolean>((close) => <RenameDialog entry={entry} close={close} />));
  const relocate = (entries: readonly Entry[], action: 'move' | 'copy') => act(relocateEntries(place, entries, action));
  const settings = (entries: readonly Entry[]) => act(changeSettings(entries));
  const canShare = isOn('shares');
  const share = (entries: readonly Entry[]) => canShare && act(shareEntries(entries, onDone));

  const forMany = (entries: readonly Entry[]): MenuItem[] => {
    if (!canWrite) return [];
    const isShareable = canShare && (entries.every(({ kind }) => kind === 'file') || entries.length === 1);
    return [
      ...(isShareable ? [{ label: files.share, icon: 'share' as const, onChoose: () => share(entries) }] : []),
      { label: files.move, icon: 'move', onChoose: () => relocate(entries, 'move') },
      { label: files.copy, icon: 'copy', onChoose: () => relocate(entries, 'copy') },
      { label: files.change, icon: 'gear', onChoose: () => settings(entries) },
      { label: files.delete, icon: 'trash', isDangerous: true, onChoose: () => remove(entries) },
    ];
  };
  return {
    canWrite,
    canShare,
    remove,
    rename,
    share,
    settings,
    forMany,
    menuOf: (entry, open) => [
      { label: files.open, icon: entry.kind === 'folder' ? 'folder' : 'info', onChoose: () => open(entry) },
      ...(entry.kind === 'file'
        ? ([
            { label: files.download, icon: 'download', onChoose: () => act(downloadFile(entry.file)) },
            { label: files.copyLink, icon: 'link', onChoose: () => act(copyLinkOf(entry.file)) },
          ] as const)
        : []),
      ...(canWrite ? [{ label: files.rename, icon: 'edit' as const, onChoose: () => rename(entry) }] : []),
      ...(canWrite && entry.kind === 'file'
        ? [
            {
              label: entry.file.private ? files.makePublic : files.makePrivate,
              icon: entry.file.private ? ('globe' as const) : ('lock' as const),
              onChoose: () => act(turnVisibility(entry)),
            },
          ]
        : []),
      ...forMany([entry]),
    ],
    addCommandsOf:
      canWrite && hasScope('blob:write')
        ? [
            { label: files.upload, icon: 'upload', run: () => chooseFiles(place) },
            { label: files.uploadFolder, icon: 'folder', run: () => chooseFolder(place) },
            { label: files.newFolder, icon: 'plus', run: () => askForFolder(place) },
          ]
        : [],
  };
}

/*
 * What else changes files is loaded when it is needed. All of these resolve to whether something was changed.
 */

async function removeEntries(entries: readonly Entry[], onRestored: () => void): Promise<boolean> {
  const { deleteEntries } = await import('./delete-entries.tsx');
  return deleteEntries(entries, onRestored);
}

async function relocateEntries(place: Place, entries: readonly Entry[], action: 'move' | 'copy'): Promise<boolean> {
  const [{ MoveDialog }, { changeMany }] = await Promise.all([
    import('./move-dialog.tsx'),
    import('./change-many.tsx'),
  ]);
  const { files } = messages();
  const destination = await openDialog<string>((close) => (
    <MoveDialog action={action} from={place.prefix} count={entries.length} close={close} />
  ));
  if (destination === undefined) return false;
  return changeMany(action === 'move' ? files.moving : files.copying, entries, { action, destination });
}

async function changeSettings(entries: readonly Entry[]): Promise<boolean> {
  const [{ SettingsDialog }, { changeMany }] = await Promise.all([
    import('./settings-dialog.tsx'),
    import('./change-many.tsx'),
  ]);
  const change = await openDialog<Change>((close) => <SettingsDialog entries={entries} close={close} />);
  return change !== undefined && changeMany(messages().files.changing, entries, change);
}

async function shareEntries(entries: readonly Entry[], onChanged: () => void): Promise<void> {
  const { ShareDialog } = await import('./share-dialog.tsx');
  await openDialog((close) => <ShareDialog entries={entries} onChanged={onChanged} close={close} />);
}

/** Makes a private file public, and a public one private. */
async function turnVisibility({ key: id, name, file }: FileEntry): Promise<boolean> {
  const { setVisibility } = await import('./set-visibility.ts');
  return setVisibility([{ id, name }], !file.private);
}

/** Copies the address of a file, and says whether it ends. */
export async function copyLinkOf(file: FileEntry['file']): Promise<void> {
  const { files } = messages();
  toast((await copyLink(file)) ? files.temporaryCopied : files.publicCopied);
}
