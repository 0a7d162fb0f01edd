import {
  createDeployHook,
  getDeployHook,
  revokeDeployHook,
  type DeployHook,
  type NewDeployHook,
} from '#dist/modules/client/index.js';

import { ask, send } from '../../app/api.ts';
import { hasScope } from '../../app/session-state.ts';
import { useResource, type Resource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Field } from '../../ui/field.tsx';
import { FieldsDialog, textIn } from '../../ui/fields-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { showSecret } from '../../ui/secret-dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { ifSet } from './if-set.ts';
import { GitHostField, gitHosts } from './git-hosts.tsx';

type Hook = DeployHook | null;

/** A secret address that queues a deploy. */
export function DeployHookCard({ appId }: { readonly appId: string }) {
  const text = messages().deploys;
  const hook = useResource<Hook>(
    (signal) => ifSet(appId, 'deploy_hook', () => ask(getDeployHook({ path: { app_id: appId }, signal })), signal),
    [appId],
  );
  return (
    <section class="card">
      <h2>{text.hook}</h2>
      <p class="hint">{text.hookHint}</p>
      <Loaded resource={hook} lines={2}>
        {(known) => (
          <>
            {known && (
              <Facts
                rows={[
                  [text.repository, <code>{known.repository}</code>],
                  [text.branch, <bdi>{known.branch}</bdi>],
                  [text.gitHost, gitHosts[known.host]],
                  [text.lastUsed, known.used_at ? <Time at={known.used_at} isRelative /> : messages().common.never],
                ]}
              />
            )}
            {hasScope('apps:deploy') && (
              <div class="actions">
                <Button onClick={() => void make(appId, known, hook)}>
                  {known ? text.rotateHook : text.createHook}
                </Button>
                {known && <Button onClick={() => void revoke(appId, hook)}>{text.revokeHook}</Button>}
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

async function make(appId: string, known: Hook, hook: Resource<Hook>): Promise<void> {
  const text = messages().deploys;
  const url = await openDialog<string>((close) => (
    <FieldsDialog<string>
      title={known ? text.rotateHook : text.createHook}
      action={known ? text.rotateHook : text.createHook}
      close={close}
      run={async (fields) => {
        const branch = textIn(fields, 'branch');
        const body: NewDeployHook = {
          repository: textIn(fields, 'repository') ?? '',
          host: fields.get('host') as DeployHook['host'],
          ...(branch !== undefined && { branch }),
        };
        const { url: address, ...made } = await ask(createDeployHook({ path: { app_id: appId }, body }));
        hook.set({ ...made, used_at: null });
        return address;
      }}
    >
      {known && <p class="note">{text.rotateHookNote}</p>}
      <Field
        label={text.repository}
        hint={text.repositoryHint}
        name="repository"
        type="url"
        required
        autofocus
        defaultValue={known?.repository ?? ''}
      />
      <Field label={text.branch} name="branch" defaultValue={known?.branch ?? 'main'} />
      <GitHostField value={known?.host ?? 'github'} />
    </FieldsDialog>
  ));
  if (url !== undefined) await showSecret(text.hook, text.hookOnce, url);
}

async function revoke(appId: string, hook: Resource<Hook>): Promise<void> {
  const text = messages().deploys;
  await confirm({
    title: text.revokeHook,
    text: text.revokeHookText,
    action: text.revokeHook,
    run: async () => {
      await send(revokeDeployHook({ path: { app_id: appId } }));
      hook.set(null);
    },
  });
}
