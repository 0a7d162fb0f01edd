import { useId, useState } from 'preact/hooks';

import { listObjects } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { isFolderOrTop } from './object-key.ts';

/** Asks for the folder to move or copy to. Closes with it, without a trailing slash. */
export function MoveDialog({
  action,
  from,
  count,
  close,
}: {
  readonly action: 'move' | 'copy';
  readonly from: string;
  readonly count: number;
  readonly close: (destination?: string) => void;
}) {
  const [text, setText] = useState(from.replace(/\/$/, ''));
  const [isWrong, setWrong] = useState(false);
  const { files, common } = messages();
  const parent = text.slice(0, text.lastIndexOf('/') + 1);
  const known = useResource(
    (signal) => ask(listObjects({ query: { delimiter: '/', ...(parent !== '' && { prefix: parent }) }, signal })),
    [parent],
  );
  const listId = useId();
  const submit = () => {
    const folder = text.trim().replace(/^\/+|\/+$/g, '');
    if (isFolderOrTop(folder)) close(folder);
    else setWrong(true);
  };
  return (
    <Dialog
      title={action === 'move' ? files.moveTitle(formatNumber(count)) : files.copyTitle(formatNumber(count))}
      onClose={() => close()}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={() => close()}>{common.cancel}</Button>
          <Button kind="first" type="submit">
            {action === 'move' ? files.move : files.copy}
          </Button>
        </>
      }
    >
      <Field
        label={files.destination}
        hint={files.destinationHint}
        problem={isWrong ? files.folderRule : undefined}
        value={text}
        autofocus
        autocomplete="off"
        spellcheck={false}
        list={listId}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <datalist id={listId}>
        {[...new Set(known.data?.folders)].map((folder) => (
          <option key={folder} value={folder.replace(/\/$/, '')} />
        ))}
      </datalist>
    </Dialog>
  );
}
