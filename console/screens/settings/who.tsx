import { hasScope, session } from '../../app/session-state.ts';
import { signOut } from '../../app/session.ts';
import { href } from '../../app/router.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { toastError } from '../../ui/toasts.tsx';

/** The account or the operator, the key of the session, and the way out. */
export function WhoIsSignedIn() {
  const { settings, common, screens } = messages();
  const current = session.value;
  if (!current) return null;
  const isAccount = 'account' in current;
  return (
    <section class="card" aria-labelledby="settings-who">
      <h2 id="settings-who">{isAccount ? settings.account : common.operator}</h2>
      <Facts
        rows={[
          ...(isAccount
            ? ([
                [settings.name, <bdi>{current.account.name}</bdi>],
                [settings.plan, current.account.plan],
                [settings.accountId, <code>{current.account.id}</code>],
              ] as const)
            : []),
          [
            settings.key,
            <>
              <span dir="auto">{current.key.name}</span> <code>…{current.key.last4}</code>
            </>,
          ],
          [settings.sessionEnds, current.expires_at !== null && <Time at={current.expires_at} />],
        ]}
      />
      <div class="actions">
        <Button icon="door" onClick={() => void signOut().catch(toastError)}>
          {common.signOut}
        </Button>
        {isAccount && hasScope('*') && (
          <a class="button quiet" href={href(['keys'])}>
            {screens.keys}
          </a>
        )}
      </div>
    </section>
  );
}
