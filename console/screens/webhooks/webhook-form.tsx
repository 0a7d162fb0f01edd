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
import { messages } from '../../app/messages.ts';
import { openDialog } from '../../ui/dialogs.tsx';
import { Choice, Field, TextField } from '../../ui/field.tsx';
import { FieldsDialog, linesIn, textIn } from '../../ui/fields-dialog.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
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
  const text = messages().webhooks;
  const [types, setTypes] = useState<Types>(() => ({
    which: webhook?.types ? 'some' : 'all',
    some: typesChosen(webhook?.types ?? []),
  }));
  const [format, setFormat] = useState<EventWebhook['format']>(webhook?.format ?? 'standard');
  return (
    <FieldsDialog<Made>
      title={webhook ? text.change : text.create}
      action={webhook ? messages().common.save : text.create}
      isWide
      close={close}
      run={(fields) =>
        save({ ...givenIn(fields), types: types.which === 'all' ? null : typesToSend(types.some), format })
      }
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
          options={(['standard', 's3'] as const).map((one) => [one, text.formats[one]])}
          onChoose={setFormat}
        />
      )}
      <TypesChoice types={types} onChange={setTypes} />
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

function givenIn(fields: FormData): Pick<Given, 'url' | 'prefixes' | 'description'> {
  const prefixes = linesIn(fields, 'prefixes');
  return {
    url: textIn(fields, 'url') ?? '',
    prefixes: prefixes.length > 0 ? prefixes : null,
    description: textIn(fields, 'description') ?? '',
  };
}

interface Types {
  readonly which: 'all' | 'some';
  readonly some: ReadonlySet<string>;
}

function TypesChoice({ types, onChange }: { readonly types: Types; readonly onChange: (types: Types) => void }) {
  const text = messages().webhooks;
  return (
    <>
      <Choice
        label={text.types}
        options={[
          ['all', text.allKinds],
          ['some', text.someKinds],
        ]}
        {...formInputs(types, onChange).chosen('which')}
      />
      {types.which === 'some' && <TypeTicks chosen={types.some} onChange={(some) => onChange({ ...types, some })} />}
    </>
  );
}

/** The types of events by group. The box of a group ticks all of them. */
function TypeTicks({
  chosen,
  onChange,
}: {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const box = (types: readonly string[], label: string) => (
    <label key={label}>
      <input
        type="checkbox"
        checked={types.every((type) => chosen.has(type))}
        onChange={({ currentTarget: { checked } }) => {
          const others = [...chosen].filter((type) => !types.includes(type));
          onChange(new Set(checked ? [...others, ...types] : others));
        }}
      />
      <code>{label}</code>
    </label>
  );
  return (
    <div class="event-groups">
      {[...eventGroups].map(([group, types]) => (
        <fieldset key={group}>
          <legend>{box(types, `${group}.*`)}</legend>
          {types.length > 1 && types.map((type) => box([type], type))}
        </fieldset>
      ))}
    </div>
  );
}
