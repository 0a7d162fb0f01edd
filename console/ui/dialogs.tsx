import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { session } from '../app/session-state.ts';

interface Opened {
  readonly id: number;
  readonly close: () => void;
  readonly content: ComponentChildren;
}

const opened = signal<readonly Opened[]>([]);
let lastId = 0;

// A dialog may show a secret, and must not cover the sign-in.
effect(() => {
  if (!session.value) for (const { close } of opened.peek()) close();
});

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
      opened.value = opened.peek().filter((one) => one.id !== id);
      resolve(value);
    };
    opened.value = [...opened.value, { id, close, content: content(close) }];
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
