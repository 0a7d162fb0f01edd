import { getCurrentDeployment, setGitWebhook } from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { hasScope } from '../../app/session-state.ts';
import { useResource, type Resource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Field } from '../../ui/field.tsx';
import { FieldsDialog, textIn } from '../../ui/fields-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { showSecret } from '../../ui/secret-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { newSecret } from './new-secret.ts';

interface Connection {
  readonly webhook: string | null;
}

/** The address that a git host sends pushes to. */
export function GitWebhookCard({ appId }: { readonly appId: string }) {
  const text = messages().deploys;
  const connection = useResource<Connection>(
    (signal) => ask(getCurrentDeployment({ path: { app_id: appId }, signal })),
    [appId],
  );
  return (
    <section class="card">
      <h2>{text.webhook}</h2>
      <p class="hint">{text.webhookHint}</p>
      <Loaded resource={connection} lines={2}>
        {({ webhook }) => (
          <>
            {webhook !== null && <Copyable text={webhook} label={text.copyWebhook} />}
            {hasScope('apps:deploy') && (
              <div class="actions">
                <Button
                  kind={webhook === null ? 'first' : 'plain'}
                  onClick={() => void set(appId, webhook, connection)}
                >
                  {webhook === null ? text.connect : text.changeTokens}
                </Button>
                {webhook !== null && (
                  <Button onClick={() => void remove(appId, connection)}>{text.removeWebhook}</Button>
                )}
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

async function set(appId: string, webhook: string | null, connection: Resource<Connection>): Promise<void> {
  const text = messages().deploys;
  const secret = newSecret();
  const chosen = await openDialog<{ readonly address: string; readonly secret: string | undefined }>((close) => (
    <FieldsDialog<{ readonly address: string; readonly secret: string | undefined }>
      title={webhook === null ? text.connect : text.changeTokens}
      action={messages().common.save}
      close={close}
      run={async (fields) => {
        const given = textIn(fields, 'secret');
        const body = { access_token: textIn(fields, 'token') ?? '', ...(given !== undefined && { secret: given }) };
        const { response } = await send(setGitWebhook({ path: { app_id: appId }, body }));
        return { address: response!.webhook, secret: given };
      }}
    >
      <Field
        label={text.accessToken}
        hint={text.accessTokenHint}
        name="token"
        type="password"
        autocomplete="off"
        required
        maxLength={255}
        autofocus
      />
      <Field
        label={text.secret}
        hint={text.secretHint}
        name="secret"
        defaultValue={secret}
        autocomplete="off"
        spellcheck={false}
        maxLength={255}
      />
    </FieldsDialog>
  ));
  if (!chosen) return;
  connection.set({ webhook: chosen.address });
  toast(text.connected);
  if (chosen.secret !== undefined) await showSecret(text.secret, text.secretOnce, chosen.secret);
}

async function remove(appId: string, connection: Resource<Connection>): Promise<void> {
  const text = messages().deploys;
  await confirm({
    title: text.removeWebhook,
    text: text.removeWebhookText,
    action: text.removeWebhook,
    run: async () => {
      await send(setGitWebhook({ path: { app_id: appId }, body: { access_token: '@' } }));
      connection.set({ webhook: null });
    },
  });
}
