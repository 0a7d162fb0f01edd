import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { messages } from '../app/messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { openDialog } from './dialogs.tsx';
import { Problem } from './problem.tsx';
import { useTypedNumber } from './typed-number.tsx';

interface Question {
  readonly title: string;
  readonly text: ComponentChildren;
  /** The label of the button that does it. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** A number that the person has to type, as it is written here. */
  readonly typed?: string;
  /** Does it while the dialog is open. A failure is shown in the dialog. */
  readonly run?: () => Promise<void>;
}

/**
 * Asks before something that cannot be undone. Its red button never has the focus, because a key that was meant for
 * what stood there before would press it. Resolves to whether it was done, or may be.
 */
export async function confirm(question: Question): Promise<boolean> {
  return (await openDialog<boolean>((close) => <Confirmation {...question} close={close} />)) === true;
}

function Confirmation({
  title,
  text,
  action,
  isDangerous = true,
  typed,
  run,
  close,
}: Question & { readonly close: (isDone?: boolean) => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const number = useTypedNumber(typed);
  const { common } = messages();
  const act = async () => {
    if (!number.check()) return;
    setBusy(true);
    try {
      await run?.();
      close(true);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={() => close(false)}
      onSubmit={act}
      actions={
        <>
          <Button autofocus={isDangerous} onClick={() => close(false)}>
            {common.cancel}
          </Button>
          <Button kind={isDangerous ? 'danger' : 'first'} type="submit" isBusy={isBusy} autofocus={!isDangerous}>
            {action}
          </Button>
        </>
      }
    >
      <div class="prose">{text}</div>
      {number.field}
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}
