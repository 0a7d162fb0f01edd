import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { messages } from '../app/messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

/** A dialog with a form. A failure is shown in it, and what was typed stays. */
export function FormDialog({
  title,
  action,
  run,
  onClose,
  isWide = false,
  isReady = true,
  problemOf,
  children,
}: {
  readonly title: string;
  /** The label of the button that sends the form. */
  readonly action: string;
  /** Does it. It closes the dialog itself when that worked. */
  readonly run: () => Promise<void> | void;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** Whether the form can be sent. */
  readonly isReady?: boolean;
  /** Shows an error in another way. */
  readonly problemOf?: (error: unknown) => ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const act = async () => {
    if (isBusy || !isReady) return;
    setBusy(true);
    setError(undefined);
    try {
      await run();
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={onClose}
      onSubmit={() => void act()}
      actions={
        <>
          <Button onClick={onClose}>{messages().common.cancel}</Button>
          <Button kind="first" type="submit" isBusy={isBusy} disabled={!isReady}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {error !== undefined && (problemOf?.(error) ?? <Problem error={error} />)}
    </Dialog>
  );
}
