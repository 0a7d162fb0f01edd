import { useState } from 'preact/hooks';

import {
  createWebhook,
  updateWebhook,
  type EventWebhook,
  type NewEventWebhook,
  type WebhookChange,
  type WebhookWithSecret,
} from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { words } from '../../app/words.ts';
import { openDialog } from '../../ui/dialogs.tsx';
import { Choice, Field, TextField } from '../../ui/field.tsx';
import { FieldsDialog, linesIn, textIn } from '../../ui/fields-dialog.tsx';
import { eventGroups, typesChosen, typesToSend } from './event-types.ts';

/** Asks for a new webhook and makes it. Resolves to it, with its secret. */
export function askForWebhook(): Promise<WebhookWithSecret | undefined> {
  return openDialog<WebhookWithSecret>((close) => <WebhookForm<WebhookWithSecret> close={close} save={create} />);
}

/** Asks for changes of a webhook and makes them. Resolves to it as it is then. */
export function changeWebhook(webhook: EventWebhook): Promise<EventWebhook | undefined> {
  const save = (form: Given) => {
    const { format: _format, ...change } = form;
    const body: WebhookChange = change;
    return ask(updateWebhook({ path: { id: webhook.id }, body }));
  };
  return openDialog<EventWebhook>((close) => <WebhookForm<EventWebhook> webhook={webhook} close={close} save={save} />);
}

interface Given {
  readonly url: string;
  readonly types: string[] | null;
  readonly prefixes: string[] | null;
  readonly description: string;
  readonly format: EventWebhook['format'];
}

function create({ types, prefixes, description, ...rest }: Given): Promise<WebhookWithSecret> {
  const body: NewEventWebhook = {
    ...rest,
    ...(types && { types }),
    ...(prefixes && { prefixes }),
    ...(description !== '' && { description }),
  };
  return ask(createWebhook({ body }));
}

function WebhookForm<Made>({
  webhook,
  close,
  save,
}: {
  readonly webhook?: EventWebhook;
  readonly close: (made?: Made) => void;
  readonly save: (given: Given) => Promise<Made>;
}) {
  const text = words().events;
  const [isAll, setAll] = useState(!webhook?.types);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => typesChosen(webhook?.types ?? []));
  const [format, setFormat] = useState<EventWebhook['format']>(webhook?.format ?? 'standard');
  const toggle = (types: readonly string[], isOn: boolean) => {
    const next = new Set(chosen);
    for (const type of types)
      if (isOn) next.add(type);
      else next.delete(type);
    setChosen(next);
  };
  return (
    <FieldsDialog<Made>
      title={webhook ? text.change : text.create}
      action={webhook ? words().common.save : text.create}
      isWide
      close={close}
      run={(fields) => {
        const prefixes = linesIn(fields, 'prefixes');
        return save({
          url: textIn(fields, 'url') ?? '',
          types: isAll ? null : typesToSend(chosen),
          prefixes: prefixes.length > 0 ? prefixes : null,
          description: textIn(fields, 'description') ?? '',
          format,
        });
      }}
    >
      <Field
        label={text.address}
        hint={text.addressHint}
        name="url"
        type="url"
        required
        maxLength={2048}
        autofocus
        defaultValue={webhook?.url ?? ''}
        placeholder="https://"
      />
      <Field label={text.description} name="description" maxLength={200} defaultValue={webhook?.description ?? ''} />
      {!webhook && (
        <Choice<EventWebhook['format']>
          label={text.format}
          value={format}
          options={[
            ['standard', text.formats.standard],
            ['s3', text.formats.s3],
          ]}
          onChoose={setFormat}
        />
      )}
      <Choice<'all' | 'some'>
        label={text.types}
        value={isAll ? 'all' : 'some'}
        options={[
          ['all', text.allKinds],
          ['some', text.someKinds],
        ]}
        onChoose={(value) => setAll(value === 'all')}
      />
      {!isAll && (
        <div class="event-groups">
          {[...eventGroups].map(([group, types]) => (
            <fieldset key={group}>
              <legend>
                <label>
                  <input
                    type="checkbox"
                    checked={types.every((type) => chosen.has(type))}
                    onChange={({ currentTarget: { checked } }) => toggle(types, checked)}
                  />
                  <code>{group}.*</code>
                </label>
              </legend>
              {types.length > 1 &&
                types.map((type) => (
                  <label key={type}>
                    <input
                      type="checkbox"
                      checked={chosen.has(type)}
                      onChange={({ currentTarget: { checked } }) => toggle([type], checked)}
                    />
                    <code>{type}</code>
                  </label>
                ))}
            </fieldset>
          ))}
        </div>
      )}
      <TextField
        label={text.prefixes}
        hint={text.prefixesHint}
        name="prefixes"
        rows={2}
        spellcheck={false}
        defaultValue={webhook?.prefixes?.join('\n') ?? ''}
      />
    </FieldsDialog>
  );
}
