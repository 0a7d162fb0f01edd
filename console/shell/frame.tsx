import { useEffect, useState } from 'preact/hooks';

import { config } from '../app/config.ts';
import { route } from '../app/router.ts';
import { screensFor } from '../app/screens.ts';
import { messages } from '../app/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { openPalette } from '../ui/palette.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { AccountMenu } from './account-menu.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { ScreenOf } from './screen-of.tsx';
import { useScreenCommands } from './screen-commands.ts';

/** The frame around every screen: navigation, the account, and the screen itself. */
export function Frame() {
  const [isOpen, setOpen] = useState(false);
  const { common, palette } = messages();
  const screens = screensFor(config().door);
  useScreenCommands(screens);
  useKeys({ 'Ctrl+k': () => void openPalette() });
  useEffect(() => setOpen(false), [route.value]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isOpen]);
  return (
    <div class={isOpen ? 'frame open' : 'frame'}>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('main h1')?.focus();
        }}
      >
        {common.skip}
      </a>
      <header class="top">
        <IconButton
          class="open-navigation"
          icon={isOpen ? 'close' : 'menu'}
          label={isOpen ? common.closeMenu : common.openMenu}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <Logo />
        <span class="grow" />
        <IconButton icon="search" label={palette.open} onClick={() => void openPalette()} />
        <AccountMenu />
      </header>
      <Navigation screens={screens} />
      {isOpen && <div class="shade" onClick={() => setOpen(false)} />}
      <main id="content">
        <ScreenOf screens={screens} />
      </main>
    </div>
  );
}
