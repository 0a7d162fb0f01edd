import { useEffect } from 'preact/hooks';

import { href, navigate } from '../app/router.ts';
import type { ScreenEntry } from '../app/screens.ts';
import { messages } from '../app/messages.ts';
import { addCommands } from '../ui/palette.tsx';

/** Puts every screen into the palette. */
export function useScreenCommands(screens: readonly ScreenEntry[]): void {
  const { screens: titles } = messages();
  useEffect(
    () =>
      addCommands(
        'screens',
        screens.map(({ name, icon }) => ({ label: titles[name], icon, run: () => navigate(href([name])) })),
      ),
    [screens, titles],
  );
}
