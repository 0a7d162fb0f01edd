import { useState } from 'preact/hooks';

import { createKey, type ApiKeyWithSecret } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { words } from '../../app/words.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, TextField, Tick } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
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
  const { keys, common } = words();
  const [draft, setDraft] = useState(empty);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const set = (change: Partial<KeyDraft>) => setDraft({ ...draft, ...change });
  const toggle = (scope: Scope) => {
    const scopes = new Set(draft.scopes);
    if (!scopes.delete(scope)) scopes.add(scope);
    set({ scopes });
  };
  const hasScopes = draft.isFull || draft.scopes.size > 0;
  const isRight = isExpiryRight(draft) && wrongAmounts(draft.limits).size === 0;
  const isComplete = draft.name.trim() !== '' && hasScopes && isRight;
  const submit = async () => {
    if (!isComplete) return;
    setBusy(true);
    setError(undefined);
    try {
      close(await ask(createKey({ body: newKeyOf(draft) })));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={keys.create}
      onClose={() => close()}
      onSubmit={() => void submit()}
      isWide
      actions={
        <>
          <Button onClick={() => close()}>{common.cancel}</Button>
          <Button kind="first" type="submit" isBusy={isBusy} disabled={!isComplete}>
            {keys.create}
          </Button>
        </>
      }
    >
      <Field
        label={keys.name}
        hint={keys.nameHint}
        value={draft.name}
        maxLength={64}
        required
        autofocus
        autocomplete="off"
        onInput={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Tick
        label={keys.full}
        hint={keys.fullHint}
        checked={draft.isFull}
        onChange={({ currentTarget }) => set({ isFull: currentTarget.checked })}
      />
      {!draft.isFull &&
        (Object.keys(scopeGroups) as Array<keyof typeof scopeGroups>).map((group) => (
          <fieldset key={group} class="scope-group">
            <legend>{keys.groups[group]}</legend>
            <div class="ticks">
              {scopeGroups[group].map((scope) => (
                <Tick
                  key={scope}
                  label={keys.scopes[scope]}
                  hint={scope}
                  checked={draft.scopes.has(scope)}
                  onChange={() => toggle(scope)}
                />
              ))}
            </div>
          </fieldset>
        ))}
      <Choice
        label={keys.expires}
        value={draft.expiry}
        options={expiries.map((expiry) => [expiry, expiryName(expiry)] as const)}
        onChoose={(expiry) => set({ expiry })}
      />
      {draft.expiry === 'until' && (
        <Field
          label={keys.lastDay}
          hint={keys.lastDayHint}
          type="date"
          required
          value={draft.until}
          problem={draft.until !== '' && !isExpiryRight(draft) ? keys.lastDayWrong : undefined}
          onInput={({ currentTarget }) => set({ until: currentTarget.value })}
        />
      )}
      <details class="more-fields">
        <summary>{keys.restrictions}</summary>
        <TextField
          label={keys.prefixes}
          hint={keys.prefixesHint}
          rows={2}
          value={draft.prefixes}
          onInput={({ currentTarget }) => set({ prefixes: currentTarget.value })}
        />
        <TextField
          label={keys.resources}
          hint={keys.resourcesHint}
          rows={2}
          value={draft.resources}
          onInput={({ currentTarget }) => set({ resources: currentTarget.value })}
        />
      </details>
      {(draft.isFull || draft.scopes.has('ai:chat')) && (
        <details class="more-fields">
          <summary>{keys.aiLimits}</summary>
          <LimitFields draft={draft.limits} onChange={(limits) => set({ limits })} />
        </details>
      )}
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}

function expiryName(expiry: Expiry): string {
  const { keys, common } = words();
  if (expiry === 'never') return common.never;
  return expiry === 'until' ? keys.untilDay : keys.afterDays(formatNumber(Number(expiry)));
}
