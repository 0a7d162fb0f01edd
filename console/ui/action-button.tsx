import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { toastError } from './toasts.tsx';

/** A button that runs something and cannot be pressed again meanwhile. A failure is said in a message. */
export function ActionButton({
  run,
  icon,
  kind = 'plain',
  disabled = false,
  children,
}: {
  readonly run: () => Promise<unknown>;
  readonly icon?: IconName;
  readonly kind?: 'plain' | 'first' | 'danger' | 'quiet';
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}) {
  const [isBusy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    try {
      await run();
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  return (
    <Button kind={kind} {...(icon && { icon })} isBusy={isBusy} disabled={disabled} onClick={() => void act()}>
      {children}
    </Button>
  );
}
