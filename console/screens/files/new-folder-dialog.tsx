import { useState } from 'preact/hooks';

import { navigate } from '../../app/router.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { isFolder } from '../../files/object-id.ts';
import { hrefOf, type Place } from './place.ts';

/** Asks for the name of a folder and goes there. A folder is only a part of keys, so it begins with its first file. */
export function NewFolderDialog({ place, close }: { readonly place: Place; readonly close: () => void }) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { files, common } = messages();
  const submit = () => {
    const folder = text.trim().replace(/^\/+|\/+$/g, '');
    if (folder === '' || !isFolder(place.prefix + folder)) return setWrong(true);
    close();
    navigate(hrefOf({ ...place, prefix: `${place.prefix}${folder}/` }));
  };
  return (
    <Dialog
      title={files.newFolder}
      onClose={close}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="first" type="submit">
            {files.openFolder}
          </Button>
        </>
      }
    >
      <Field
        label={files.folderName}
        hint={files.newFolderHint}
        problem={isWrong ? files.folderRule : undefined}
        value={text}
        autofocus
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Dialog>
  );
}
