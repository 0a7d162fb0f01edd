import { useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { isFolder, keyOf, nameOf, withoutSlash } from '../../files/object-id.ts';
import { editedName } from '../../files/shown-name.ts';
import { Field, Tick } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { Entry, FileEntry, FolderEntry } from './entry.ts';
import { folderOf, givenName, isLegacy, isName } from './object-key.ts';
import { giveKey, giveName } from './rename-file.ts';

type Close = (isDone?: boolean) => void;

/** Gives a file or a folder another name. */
export function RenameDialog({ entry, close }: { readonly entry: Entry; readonly close: Close }) {
  return entry.kind === 'file' ? (
    <RenameFile entry={entry} close={close} />
  ) : (
    <RenameFolder entry={entry} close={close} />
  );
}

/** Changes the name that people see, and the key if they wish. The server keeps the extension of the key. */
function RenameFile({ entry: { file, name: shown }, close }: { readonly entry: FileEntry; readonly close: Close }) {
  // It changes with the key, also if the name can then not be changed.
  const [id, setId] = useState(file.id);
  const [nameBefore, keyBefore] = [editedName(file), givenName(keyOf(id))];
  const [name, setName] = useState(nameBefore);
  const [key, setKey] = useState(keyBefore);
  // A legacy file is moved before anything of it changes.
  const isLegacyFile = isLegacy(id);
  const [hasKey, setHasKey] = useState(isLegacyFile);
  const [wrong, setWrong] = useState<'name' | 'key'>();
  const { files } = messages();
  const tick = async (isTicked: boolean) => {
    setHasKey(isTicked);
    if (!isTicked || key !== keyBefore || name === nameBefore) return;
    const { objectName } = await import('#dist/modules/uploader/index.js');
    setKey(objectName(name));
  };
  const run = async () => {
    const given = name.trim();
    const isRenamed = given !== nameBefore;
    const isMoved = hasKey && (key !== keyBefore || isLegacyFile);
    if (isRenamed && !isShownName(given)) return setWrong('name');
    if (isMoved && !isName(key)) return setWrong('key');
    setWrong(undefined);
    const moved = isMoved ? await giveKey(id, key) : id;
    setId(moved);
    if (isRenamed) await giveName(moved, given);
    close(isRenamed || moved !== file.id);
  };
  const isChanged = id !== file.id;
  return (
    <FormDialog title={files.renameTitle(shown)} action={files.rename} run={run} onClose={() => close(isChanged)}>
      <NameField
        problem={wrong === 'name' ? files.shownNameRule : undefined}
        name={name}
        stem={name.replace(/(?<=.)\.[^.]*$/, '')}
        onName={setName}
      />
      <Tick
        label={files.renameKey}
        hint={files.visibilityHint}
        checked={hasKey}
        disabled={isLegacyFile}
        onChange={({ currentTarget }) => void tick(currentTarget.checked)}
      />
      {hasKey && (
        <Field
          label={files.key}
          hint={files.newNameHint}
          problem={wrong === 'key' ? files.nameRule : undefined}
          value={key}
          dir="ltr"
          spellcheck={false}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}

/** Whether the contract allows a name: no slashes and control characters, and something besides dots and blanks. */
function isShownName(name: string): boolean {
  return /^(?=.*[^\s.])[^\p{Cc}/\\]{1,255}$/u.test(name);
}

function RenameFolder({ entry, close }: { readonly entry: FolderEntry; readonly close: Close }) {
  const before = nameOf(entry.key);
  const [name, setName] = useState(before);
  const [isWrong, setWrong] = useState(false);
  const { files } = messages();
  const run = async () => {
    const given = name.trim();
    if (given === before) return close(false);
    if (given.includes('/') || !isFolder(given)) return setWrong(true);
    const prefix = withoutSlash(entry.key);
    const parent = folderOf(prefix);
    const [{ runInDialog }, { moveFolder }] = await Promise.all([import('./change-many.tsx'), import('./changes.ts')]);
    const destination = parent === undefined ? given : `${parent}/${given}`;
    await runInDialog(files.moving, { run: (running) => moveFolder(prefix, destination, running) });
    close(true);
  };
  return (
    <FormDialog title={files.renameTitle(entry.name)} action={files.rename} run={run} onClose={() => close(false)}>
      <NameField
        hint={files.folderRenameHint}
        problem={isWrong ? files.nameRule : undefined}
        name={name}
        stem={name}
        onName={setName}
      />
    </FormDialog>
  );
}

function NameField({
  hint,
  problem,
  name,
  stem,
  onName,
}: {
  readonly hint?: string;
  readonly problem: string | undefined;
  readonly name: string;
  /** The part that is chosen when the field gets the focus. */
  readonly stem: string;
  readonly onName: (name: string) => void;
}) {
  return (
    <Field
      label={messages().files.newName}
      hint={hint}
      problem={problem}
      value={name}
      dir="auto"
      autofocus
      spellcheck={false}
      onFocus={({ currentTarget }) => currentTarget.setSelectionRange(0, stem.length)}
      onInput={({ currentTarget }) => onName(currentTarget.value)}
    />
  );
}
