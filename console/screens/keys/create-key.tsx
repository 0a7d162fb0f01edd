import { useState } from 'preact/hooks';

import { createKey, type ApiKeyWithSecret } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { toggled } from '../../app/toggled.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Choice, Field, TextField, Tick } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import {
  expiries,
  isExpiryRight,
  limitsDraftOf,
  newKeyOf,
  scopeGroups,
  wrongAmounts,
  type Expiry,
  type KeyDraft,
  type Scope,
} from './draft.ts';
import { LimitFields } from './limit-fields.tsx';

const empty: KeyDraft = {
  name: '',
  isFull: false,
  scopes: new Set(),
  prefixes: '',
  resources: '',
  limits: limitsDraftOf(undefined),
  expiry: 'never',
  until: '',
};

/** Makes a key: its name, what it may do, and where. */
export function CreateKeyDialog({ close }: { readonly close: (made?: ApiKeyWithSecret) => void }) {
  const { keys } = messages();
  const [draft, setDraft] = useState(empty);
  const set = (change: Partial<KeyDraft>) => setDraft({ ...draft, ...change });
  const { typed, ticked, chosen } = formInputs(draft, setDraft);
  const hasScopes = draft.isFull || draft.scopes.size > 0;
  const isRight = isExpiryRight(draft) && wrongAmounts(draft.limits).size === 0;
  const isComplete = draft.name.trim() !== '' && hasScopes && isRight;
  const run = async () => close(await ask(createKey({ body: newKeyOf(draft) })));
  return (
    <FormDialog title={keys.create} action={keys.create} isReady={isComplete} isWide run={run} onClose={() => close()}>
      <Field
        label={keys.name}
        hint={keys.nameHint}
        maxLength={64}
        required
        autofocus
        autocomplete="off"
        {...typed('name')}
      />
      <Tick label={keys.full} hint={keys.fullHint} {...ticked('isFull')} />
      {!draft.isFull && <ScopeTicks chosen={draft.scopes} onChange={(scopes) => set({ scopes })} />}
      <Choice
        label={keys.expires}
        options={expiries.map((expiry) => [expiry, expiryName(expiry)] as const)}
        {...chosen('expiry')}
      />
      {draft.expiry === 'until' && (
        <Field
          label={keys.lastDay}
          hint={keys.lastDayHint}
          type="date"
          required
          problem={draft.until !== '' && !isExpiryRight(draft) ? keys.lastDayWrong : undefined}
          {...typed('until')}
        />
      )}
      <details class="more-fields">
        <summary>{keys.restrictions}</summary>
        <TextField label={keys.prefixes} hint={keys.prefixesHint} rows={2} {...typed('prefixes')} />
        <TextField label={keys.resources} hint={keys.resourcesHint} rows={2} {...typed('resources')} />
      </details>
      {(draft.isFull || draft.scopes.has('ai:chat')) && (
        <details class="more-fields">
          <summary>{keys.aiLimits}</summary>
          <LimitFields draft={draft.limits} onChange={(limits) => set({ limits })} />
        </details>
      )}
    </FormDialog>
  );
}

function expiryName(expiry: Expiry): string {
  const { keys, common } = messages();
  if (expiry === 'never') return common.never;
  return expiry === 'until' ? keys.untilDay : keys.afterDays(formatNumber(Number(expiry)));
}

/** What the key may do, in groups. */
function ScopeTicks({
  chosen,
  onChange,
}: {
  readonly chosen: KeyDraft['scopes'];
  readonly onChange: (scopes: ReadonlySet<Scope>) => void;
}) {
  const { keys } = messages();
  return (
    <>
      {(Object.keys(scopeGroups) as Array<keyof typeof scopeGroups>).map((group) => (
        <fieldset key={group} class="scope-group">
          <legend>{keys.groups[group]}</legend>
          <div class="ticks">
            {scopeGroups[group].map((scope) => (
              <Tick
                key={scope}
                label={keys.scopes[scope]}
                hint={scope}
                checked={chosen.has(scope)}
                onChange={() => onChange(toggled(chosen, scope))}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </>
  );
}
