import {
  deleteCommitStatus,
  getCommitStatus,
  replaceCommitStatus,
  type CommitStatus,
  type NewCommitStatus,
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
import { Time } from '../../ui/time.tsx';
import { GitHostField, gitHosts } from './git-hosts.tsx';
import { ifSet } from './if-set.ts';

type Status = CommitStatus | null;

/** How deploys are reported to the git host. */
export function CommitStatusCard({ appId }: { readonly appId: string }) {
  const text = messages().deploys;
  const status = useResource<Status>(
    (signal) => ifSet(appId, 'commit_status', () => ask(getCommitStatus({ path: { app_id: appId }, signal })), signal),
    [appId],
  );
  return (
    <section class="card">
      <h2>{text.commitStatus}</h2>
      <p class="hint">{text.commitStatusHint}</p>
      <Loaded resource={status} lines={2}>
        {(known) => (
          <>
            {known && (
              <Facts
                rows={[
                  [
                    text.gitHost,
                    <>
                      {gitHosts[known.host]} · <code>{known.origin}</code>
                    </>,
                  ],
                  [text.context, <bdi>{known.context}</bdi>],
                  [
                    text.lastReport,
                    <>
                      {known.sent_at ? <Time at={known.sent_at} isRelative /> : messages().common.never}{' '}
                      {known.error !== null && <span class="problem-text">{known.error}</span>}
                    </>,
                  ],
                ]}
              />
            )}
            {hasScope('apps:deploy') && (
              <div class="actions">
                <Button onClick={() => void set(appId, known, status)}>
                  {known ? text.changeStatus : text.setStatus}
                </Button>
                {known && <Button onClick={() => void remove(appId, status)}>{text.removeStatus}</Button>}
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

async function set(appId: string, known: Status, status: Resource<Status>): Promise<void> {
  const text = messages().deploys;
  await openDialog<void>((close) => (
    <FieldsDialog
      title={text.commitStatus}
      action={messages().common.save}
      close={close}
      run={async (fields) => {
        const context = textIn(fields, 'context');
        const target = textIn(fields, 'target');
        const body: NewCommitStatus = {
          access_token: textIn(fields, 'token') ?? '',
          origin: textIn(fields, 'origin') ?? '',
          host: fields.get('host') as CommitStatus['host'],
          ...(context !== undefined && { context }),
          ...(target !== undefined && { target_url: target }),
        };
        status.set(await ask(replaceCommitStatus({ path: { app_id: appId }, body })));
      }}
    >
      <GitHostField value={known?.host ?? 'github'} hosts={['github', 'gitlab', 'gitea', 'forgejo']} />
      <Field
        label={text.origin}
        hint={text.originHint}
        name="origin"
        type="url"
        required
        autofocus
        defaultValue={known?.origin ?? 'https://github.com'}
      />
      <Field
        label={text.accessToken}
        hint={text.statusTokenHint}
        name="token"
        type="password"
        autocomplete="off"
        required
      />
      <Field label={text.context} hint={text.contextHint} name="context" defaultValue={known?.context ?? 'cubby'} />
      <Field label={text.target} hint={text.targetHint} name="target" defaultValue={known?.target_url ?? ''} />
    </FieldsDialog>
  ));
}

async function remove(appId: string, status: Resource<Status>): Promise<void> {
  const text = messages().deploys;
  await confirm({
    title: text.removeStatus,
    text: text.removeStatusText,
    action: text.removeStatus,
    run: async () => {
      await send(deleteCommitStatus({ path: { app_id: appId } }));
      status.set(null);
    },
  });
}
