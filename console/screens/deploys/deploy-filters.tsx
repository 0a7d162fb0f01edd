import { getDeployFilters, replaceDeployFilters, type DeployFilters } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { hasScope } from '../../app/session-state.ts';
import { useResource, type Resource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/field.tsx';
import { FieldsDialog, linesIn } from '../../ui/fields-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { toast } from '../../ui/toasts.tsx';

const names = ['include_branches', 'exclude_branches', 'include_paths', 'exclude_paths'] as const;

/** Which pushes are deployed. */
export function DeployFiltersCard({ appId }: { readonly appId: string }) {
  const text = messages().deploys;
  const filters = useResource((signal) => ask(getDeployFilters({ path: { app_id: appId }, signal })), [appId]);
  return (
    <section class="card">
      <h2>{text.filters}</h2>
      <p class="hint">{text.filtersHint}</p>
      <Loaded resource={filters} lines={2}>
        {(known) => {
          const set = names.filter((name) => known[name].length > 0);
          return (
            <>
              {set.length === 0 ? (
                <p>{text.noFilters}</p>
              ) : (
                <Facts
                  rows={set.map((name) => [
                    text.filterNames[name],
                    <ul class="list-lines">
                      {known[name].map((pattern) => (
                        <li key={pattern}>
                          <code>{pattern}</code>
                        </li>
                      ))}
                    </ul>,
                  ])}
                />
              )}
              {hasScope('apps:deploy') && (
                <div class="actions">
                  <Button icon="edit" onClick={() => void change(appId, known, filters)}>
                    {text.changeFilters}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

async function change(appId: string, known: DeployFilters, filters: Resource<DeployFilters>): Promise<void> {
  const text = messages().deploys;
  await openDialog<void>((close) => (
    <FieldsDialog
      title={text.filters}
      action={messages().common.save}
      isWide
      close={close}
      run={async (fields) => {
        const body = Object.fromEntries(names.map((name) => [name, linesIn(fields, name)]));
        filters.set(await ask(replaceDeployFilters({ path: { app_id: appId }, body })));
        toast(text.filtersSaved);
      }}
    >
      <p class="hint">{text.patternHint}</p>
      {names.map((name, place) => (
        <TextField
          key={name}
          label={text.filterNames[name]}
          name={name}
          defaultValue={known[name].join('\n')}
          spellcheck={false}
          autofocus={place === 0}
        />
      ))}
    </FieldsDialog>
  ));
}
