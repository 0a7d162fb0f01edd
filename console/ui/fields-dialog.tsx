import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

import { words } from '../app/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

/** A dialog with fields. It stays open, with what was typed, until its action has worked. */
export function FieldsDialog<Value = void>({
  title,
  action,
  run,
  close,
  isWide = false,
  children,
}: {
  readonly title: string;
  /** The words of the button that does it. */
  readonly action: string;
  /** Does it. The dialog is closed with what it resolves to; a failure is shown in the dialog. */
  readonly run: (fields: FormData) => Promise<Value>;
  readonly close: (value?: Value) => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const body = useRef<HTMLDivElement>(null);
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      close(await run(new FormData(body.current!.closest('form')!)));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={() => close()}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={() => close()}>{words().common.cancel}</Button>
          <Button kind="first" type="submit" isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <div ref={body}>{children}</div>
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}

/** Returns the text of a field, without spaces around it; undefined if it is empty. */
export function textIn(fields: FormData, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Returns the lines of a field that are not empty. */
export function linesIn(fields: FormData, name: string): string[] {
  return (textIn(fields, name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
