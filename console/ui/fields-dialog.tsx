import { useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

import { FormDialog } from './form-dialog.tsx';

/** A form dialog whose action gets the fields. It closes when the action has worked. */
export function FieldsDialog<Value = void>({
  title,
  action,
  run,
  close,
  isWide = false,
  children,
}: {
  readonly title: string;
  /** The label of the button that sends the form. */
  readonly action: string;
  /** The dialog is closed with what it resolves to. A failure is shown in the dialog. */
  readonly run: (fields: FormData) => Promise<Value>;
  readonly close: (value?: Value) => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}) {
  const body = useRef<HTMLDivElement>(null);
  const send = async () => close(await run(new FormData(body.current!.closest('form')!)));
  return (
    <FormDialog title={title} action={action} run={send} onClose={() => close()} isWide={isWide}>
      <div ref={body}>{children}</div>
    </FormDialog>
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
