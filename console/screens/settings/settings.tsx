import './settings.css';

import { messages } from '../../app/messages.ts';
import { Screen } from '../../ui/screen.tsx';
import { About } from './about.tsx';
import { KeptHere } from './kept-here.tsx';
import { Looks } from './looks.tsx';
import { WhoIsSignedIn } from './who.tsx';

/** What this browser keeps, who is signed in, and what this console is. */
export default function Settings() {
  const { settings, screens } = messages();
  return (
    <Screen title={screens.settings} lead={settings.lead}>
      <div class="settings">
        <Looks />
        <div class="settings-side">
          <WhoIsSignedIn />
          <KeptHere />
          <About />
        </div>
      </div>
    </Screen>
  );
}
