import { createAccountApp, listAccountApps, type App } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Field } from '../../ui/field.tsx';
import { FieldsDialog, textIn } from '../../ui/fields-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** The applications of an account. Only operators make them. */
export function AccountApps({ accountId }: { readonly accountId: string }) {
  const text = messages().accounts;
  const path = { account_id: accountId };
  const apps = useResource((signal) => ask(listAccountApps({ path, signal })), [accountId]);
  const create = () =>
    openDialog<void>((close) => (
      <FieldsDialog
        title={text.newApp}
        action={text.newApp}
        close={close}
        run={async (fields) => {
          await ask(createAccountApp({ path, body: { name: textIn(fields, 'name') ?? '' } }));
          apps.reload();
        }}
      >
        <Field label={text.name} name="name" required maxLength={64} autofocus autocomplete="off" />
      </FieldsDialog>
    ));
  return (
    <>
      <p class="hint">{text.appsHint}</p>
      <div class="filters">
        <Button icon="plus" onClick={() => void create()}>
          {text.newApp}
        </Button>
      </div>
      <Loaded resource={apps}>
        {({ apps: found }) => (
          <Table<App>
            label={text.apps}
            rows={found}
            keyOf={({ id }) => id}
            columns={[
              {
                title: text.name,
                cell: ({ name, built_in: isBuiltIn }) => (
                  <>
                    <bdi>{name}</bdi> {isBuiltIn && <span class="badge">{text.builtIn}</span>}
                  </>
                ),
              },
              { title: text.id, cell: ({ id }) => <code>{id}</code> },
              { title: text.created, cell: ({ created_at: at }) => <Time at={at} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
