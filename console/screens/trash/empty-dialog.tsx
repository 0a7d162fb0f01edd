import { useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useTypedNumber } from '../../ui/typed-number.tsx';
import { purgeEverything } from './trash-changes.ts';

/** Asks, removes everything under a prefix, and says how far it is. */
export function EmptyDialog({
  prefix,
  typed,
  close,
}: {
  readonly prefix: string;
  /** A number that the person has to type. */
  readonly typed: string | undefined;
  readonly close: () => void;
}) {
  const { trash, common } = messages();
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const isBusy = count !== undefined && error === undefined;
  const number = useTypedNumber(typed);
  const run = async () => {
    if (!number.check()) return;
    setError(undefined);
    setCount(0);
    try {
      toast(trash.purged(formatNumber(await purgeEverything(prefix, setCount))));
      close();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog
      title={trash.emptyTitleAsk}
      onClose={close}
      onSubmit={() => void run()}
      actions={
        <>
          <Button autofocus onClick={close}>
            {common.cancel}
          </Button>
          <Button kind="danger" type="submit" isBusy={isBusy}>
            {trash.purge}
          </Button>
        </>
      }
    >
      <p>{trash.emptyText}</p>
      {prefix !== '' && (
        <p>
          <code dir="ltr">{prefix}</code>
        </p>
      )}
      {number.field}
      <p class="quiet" aria-live="polite">
        {count !== undefined && trash.progress(formatNumber(count))}
      </p>
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}
