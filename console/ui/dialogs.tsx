import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface Opened {
  readonly id: number;
  readonly content: ComponentChildren;
}

const opened = signal<readonly Opened[]>([]);
let lastId = 0;

/**
 * Opens a dialog over everything. Resolves to the value that it is closed with; undefined if the person closes it.
 *
 * @param content returns a `<Dialog>`
 */
export function openDialog<Value>(
  content: (close: (value?: Value) => void) => ComponentChildren,
): Promise<Value | undefined> {
  const id = ++lastId;
  return new Promise((resolve) => {
    const close = (value?: Value) => {
      opened.value = opened.value.filter((one) => one.id !== id);
      resolve(value);
    };
    opened.value = [...opened.value, { id, content: content(close) }];
  });
}

/** Shows the dialogs that are open. The shell has it once. */
export function Dialogs() {
  return (
    <>
      {opened.value.map(({ id, content }) => (
        <div key={id}>{content}</div>
      ))}
    </>
  );
}
