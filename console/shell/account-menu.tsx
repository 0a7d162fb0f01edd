import { config } from '../app/config.ts';
import { href, navigate } from '../app/router.ts';
import { session } from '../app/session-state.ts';
import { signOut } from '../app/session.ts';
import { messages } from '../app/messages.ts';
import { Menu } from '../ui/menu.tsx';
import { toastError } from '../ui/toasts.tsx';

/** Says who is signed in, and signs out. */
export function AccountMenu() {
  const { common } = messages();
  const current = session.value!;
  const name = 'account' in current ? current.account.name : common.operator;
  const docs = config().docs_url;
  return (
    <span class="who">
      <span class="who-name" title={`${current.key.name} …${current.key.last4}`}>
        {name}
      </span>
      <Menu
        label={common.accountMenu}
        icon="people"
        items={[
          { label: messages().screens.settings, icon: 'gear', onChoose: () => navigate(href(['settings'])) },
          ...(docs === null
            ? []
            : [{ label: common.docs, icon: 'book' as const, onChoose: () => void open(docs, '_blank', 'noreferrer') }]),
          { label: common.signOut, icon: 'door', onChoose: () => void signOut().catch(toastError) },
        ]}
      />
    </span>
  );
}
