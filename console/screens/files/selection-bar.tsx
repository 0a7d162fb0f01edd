import type { ComponentChildren } from 'preact';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { Actions } from './actions.tsx';
import type { Selection } from './use-selection.ts';

/** What can be done with the chosen rows. */
export function SelectionBar({
  selection,
  actions,
  children,
}: {
  readonly selection: Selection;
  readonly actions: Actions;
  /** What chooses more. */
  readonly children?: ComponentChildren;
}) {
  const { files } = messages();
  const chosen = selection.entries;
  return (
    <div class="selection-bar" role="toolbar" aria-label={files.chosenLabel}>
      <span>{files.chosen(formatNumber(selection.size))}</span>
      {children}
      {actions.forMany(chosen).map(({ label, icon, isDangerous, onChoose }) => (
        <Button key={label} kind={isDangerous ? 'danger' : 'plain'} {...(icon && { icon })} onClick={onChoose}>
          <span class="wide-only">{label}</span>
          <span class="visually-hidden narrow-only">{label}</span>
        </Button>
      ))}
      <IconButton icon="close" label={files.chooseNone} onClick={selection.clear} />
    </div>
  );
}
