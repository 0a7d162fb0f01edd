import { useEffect } from 'preact/hooks';

import { navigate } from '../../app/router.ts';
import { messages } from '../../app/messages.ts';
import { addCommands, type Command } from '../../ui/palette.tsx';
import type { Actions } from './actions.tsx';
import { hrefOf, spaces, type Place } from './place.ts';

/** Puts the actions of the folder into the palette. */
export function useFileCommands(place: Place, { addCommandsOf }: Actions): void {
  const { files } = messages();
  useEffect(
    () =>
      addCommands('files', [
        ...addCommandsOf,
        ...spaces.map((space): Command => ({
          label: `${files.show}: ${files.spaces[space]}`,
          icon: space === 'private' ? 'lock' : space === 'public' ? 'globe' : 'folder',
          run: () => navigate(hrefOf({ space, prefix: place.prefix })),
        })),
      ]),
    [place, files],
  );
}
