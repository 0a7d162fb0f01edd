import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { addCommands } from './palette.tsx';
import { useKeys } from './use-keys.ts';

/**
 * Lets the key `n` and a command of the palette create something, if the person may do so. Returns a function that
 * draws the button for it.
 */
export function useCreate(
  owner: string,
  mayCreate: boolean,
  {
    label,
    icon = 'plus',
    run,
  }: { readonly label: string; readonly icon?: IconName; readonly run: () => Promise<void> },
): (kind?: 'first') => ComponentChildren {
  const latest = useRef(run);
  latest.current = run;
  const create = () => void latest.current();
  useKeys(mayCreate ? { n: create } : {});
  useEffect(() => (mayCreate ? addCommands(owner, [{ label, icon, run: create }]) : undefined), [label, mayCreate]);
  return (kind) =>
    mayCreate && (
      <Button {...(kind && { kind })} icon="plus" onClick={create}>
        {label}
      </Button>
    );
}
