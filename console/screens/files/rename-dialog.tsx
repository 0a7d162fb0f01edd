import { useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { isFolder, keyOf } from '../../files/object-id.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { moveFolder, renameFile } from './changes.ts';
import type { Entry } from './entry.ts';
import { folderOf, givenName, isName } from './object-key.ts';

/** Gives a file or a folder another name. The server keeps the extension of a file. */
export function RenameDialog({ entry, close }: { readonly entry: Entry; readonly close: (isDone?: boolean) => void }) {
  const before = entry.kind === 'file' ? givenName(entry.name) : entry.name;
  const [text, setText] = useState(before);
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { files, common } = messages();
  const submit = async () => {
    const name = text.trim();
    if (name === before) return close(false);
    const isAllowed = entry.kind === 'file' ? isName(name) : !name.includes('/') && name !== '' && isFolder(name);
    if (!isAllowed) return setWrong(true);
    if (entry.kind === 'folder') {
      const prefix = entry.key.replace(/\/$/, '');
      const parent = folderOf(prefix);
      close(true);
      const { runInDialog } = await import('./change-many.tsx');
      const destination = parent === undefined ? name : `${parent}/${name}`;
      await runInDialog(files.moving, { run: (running) => moveFolder(prefix, destination, running) });
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await renameFile(entry.file, name, folderOf(keyOf(entry.key)));
      close(true);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={files.renameTitle(entry.name)}
      onClose={() => close(false)}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={() => close(false)}>{common.cancel}</Button>
          <Button kind="first" type="submit" isBusy={isBusy}>
            {files.rename}
          </Button>
        </>
      }
    >
      <Field
        label={files.newName}
        hint={entry.kind === 'file' ? files.newNameHint : files.folderRenameHint}
        problem={isWrong ? files.nameRule : undefined}
        value={text}
        autofocus
        spellcheck={false}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}
