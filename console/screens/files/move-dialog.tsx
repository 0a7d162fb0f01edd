import { useState } from 'preact/hooks';

import { words } from '../../app/words.ts';
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
  const { files, common } = words();
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
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Dialog>
  );
}
