import './keys.css';

import { useEffect } from 'preact/hooks';

import { listKeys, listSessions, type ApiKey, type ApiKeyWithSecret } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { addCommands } from '../../ui/palette.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CreateKeyDialog } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';
import { showSecret } from './secret.tsx';
import { SessionTable } from './session-table.tsx';

/** The keys of the account, and the browsers that are signed in. */
export default function Keys() {
  const { keys: text, screens } = messages();
  const keys = useResource((signal) => ask(listKeys({ signal })), []);
  const sessions = useResource((signal) => ask(listSessions({ signal })), []);
  const create = async () => {
    const made = await openDialog<ApiKeyWithSecret>((close) => <CreateKeyDialog close={close} />);
    if (!made) return;
    keys.reload();
    await showSecret(made);
  };
  useEffect(() => addCommands('keys', [{ label: text.create, icon: 'plus', run: () => void create() }]), [text]);
  const reload = () => {
    keys.reload();
    sessions.reload();
  };
  return (
    <Screen
      title={screens.keys}
      lead={text.lead}
      actions={
        <Button kind="first" icon="plus" onClick={() => void create()}>
          {text.create}
        </Button>
      }
    >
      <section aria-labelledby="keys-list">
        <h2 id="keys-list">{text.keys}</h2>
        <Loaded resource={keys}>{({ keys: all }) => <KeyTable keys={all} onChange={reload} />}</Loaded>
      </section>
      {/* Shown after the keys, which would push it down. */}
      <section aria-labelledby="sessions-list" hidden={keys.data === undefined && keys.error === undefined}>
        <h2 id="sessions-list">{text.sessions}</h2>
        <p class="hint">{text.sessionsLead}</p>
        <Loaded resource={sessions}>
          {({ sessions: all }) => (
            <SessionTable sessions={all} keys={keys.data?.keys ?? ([] as ApiKey[])} onChange={sessions.reload} />
          )}
        </Loaded>
      </section>
    </Screen>
  );
}
