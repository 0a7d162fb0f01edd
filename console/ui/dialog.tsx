import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

import { messages } from '../app/messages.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
  /** The buttons, the first one last. */
  readonly actions?: ComponentChildren;
  readonly isWide?: boolean;
  /** Makes the content a form, so that enter presses its first button. */
  readonly onSubmit?: () => void;
}

/** A modal dialog. The browser keeps the focus in it, and gives it back afterwards. */
export function Dialog({ title, onClose, children, actions, isWide = false, onSubmit }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key, which may already be meant for the dialog.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[autofocus]')?.focus();
    return () => {
      dialog.close();
      if (!(before instanceof HTMLElement && before.isConnected))
        document.querySelector<HTMLElement>('main h1')?.focus();
      else before.focus();
    };
  }, []);
  const inner = (
    <>
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={messages().common.close} onClick={onClose} />
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </>
  );
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      class={isWide ? 'wide' : ''}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      {onSubmit ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {inner}
        </form>
      ) : (
        <div>{inner}</div>
      )}
    </dialog>
  );
}
