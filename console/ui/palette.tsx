import { useId, useState } from 'preact/hooks';

import { messages } from '../app/messages.ts';
import { Dialog } from './dialog.tsx';
import { openDialog } from './dialogs.tsx';
import { Icon, type IconName } from './icon.tsx';
import { matching } from './matching.ts';

export interface Command {
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
}

const registered = new Map<string, readonly Command[]>();

/** Adds the commands of a screen to the palette. Returns a function that removes them. */
export function addCommands(owner: string, commands: readonly Command[]): () => void {
  registered.set(owner, commands);
  return () => void registered.delete(owner);
}

/** Opens the palette: every screen and every action that can be reached from here, found by its name. */
export async function openPalette(): Promise<void> {
  const chosen = await openDialog<Command>((close) => (
    <Palette commands={[...registered.values()].flat()} close={close} />
  ));
  chosen?.run();
}

function Palette({
  commands,
  close,
}: {
  readonly commands: readonly Command[];
  readonly close: (chosen?: Command) => void;
}) {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const id = useId();
  const found = matching(commands, text);
  const current = Math.min(index, found.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setIndex((current + step + found.length) % found.length);
  };
  return (
    <Dialog title={messages().palette.title} onClose={close} onSubmit={() => found[current] && close(found[current])}>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        aria-label={messages().palette.label}
        placeholder={messages().palette.label}
        autofocus
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={messages().palette.title} class="palette-list">
        {found.map((command, place) => (
          <div
            key={command.label}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === current}
            onClick={() => close(command)}
          >
            <Icon name={command.icon} size={18} />
            {command.label}
          </div>
        ))}
        {found.length === 0 && <p class="quiet">{messages().palette.nothing}</p>}
      </div>
    </Dialog>
  );
}
