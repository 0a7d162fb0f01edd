import { useState } from 'preact/hooks';

import { createUploadToken, type NewUploadToken, type UploadToken } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { accountSession } from '../../app/session-state.ts';
import { words } from '../../app/words.ts';
import { parseMetadata } from '../../inputs.ts';
import { firstPrefix } from '../../objects/first-prefix.ts';
import { folderPattern } from '../../objects/object-id.ts';
import { Choice, Field, TextField, Tick } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SizeField } from '../../ui/size-field.tsx';
import { emptyToken, tokenOf, type TokenForm } from './token-form.ts';

/** A token with the options that it was made with. */
export interface MadeToken {
  readonly token: UploadToken;
  readonly options: NewUploadToken;
}

/** Makes an upload token, with all that it can pin. */
export function TokenDialog({ close }: { readonly close: (made?: MadeToken) => void }) {
  const { rules } = words();
  const { tokens } = rules;
  const [form, setForm] = useState<TokenForm>(() => ({ ...emptyToken, prefix: firstPrefix() }));
  const [isChecked, setChecked] = useState(false);
  const set = (change: Partial<TokenForm>) => setForm({ ...form, ...change });
  const typed = (key: keyof TokenForm) => (event: { currentTarget: { value: string } }) =>
    set({ [key]: event.currentTarget.value });
  const linesProblem = (text: string) => (isChecked && parseMetadata(text) === undefined ? tokens.lines : undefined);
  const run = async () => {
    setChecked(true);
    if (parseMetadata(form.metadata) === undefined || parseMetadata(form.callback) === undefined) return;
    const options = tokenOf(form);
    close({ options, token: await ask(createUploadToken({ body: options })) });
  };
  return (
    <FormDialog title={tokens.createTitle} action={tokens.createAction} isWide run={run} onClose={() => close()}>
      <div class="pair">
        <Field
          label={tokens.prefix}
          hint={tokens.prefixHint}
          autofocus
          dir="ltr"
          maxLength={256}
          required={accountSession().prefixes !== null}
          pattern={folderPattern}
          title={rules.prefixHint}
          value={form.prefix}
          onInput={typed('prefix')}
        />
        <SizeField label={tokens.maxSize} value={form.maxSize} onChange={(maxSize) => set({ maxSize })} />
        <Field
          label={tokens.extensions}
          hint={rules.extensionsHint}
          dir="ltr"
          value={form.extensions}
          onInput={typed('extensions')}
        />
        <Field
          label={tokens.origins}
          hint={tokens.originsHint}
          dir="ltr"
          value={form.origins}
          onInput={typed('origins')}
        />
        <Field
          label={tokens.minutes}
          type="number"
          required
          min={1}
          max={60}
          value={form.minutes}
          onInput={typed('minutes')}
        />
        <Field label={tokens.uses} type="number" required min={1} max={100} value={form.uses} onInput={typed('uses')} />
      </div>
      <details>
        <summary>{tokens.options}</summary>
        <div class="pair">
          <Choice<TokenForm['visibility']>
            label={tokens.visibility}
            value={form.visibility}
            options={[
              ['none', rules.privates.none],
              ['yes', rules.privates.yes],
              ['no', rules.privates.no],
            ]}
            onChoose={(visibility) => set({ visibility })}
          />
          <Field
            label={tokens.name}
            hint={tokens.nameHint}
            dir="ltr"
            maxLength={128}
            value={form.name}
            onInput={typed('name')}
          />
          <Choice<TokenForm['expires']>
            label={tokens.expire}
            value={form.expires}
            options={[
              ['page', tokens.expires.page],
              ['never', tokens.expires.never],
              ['after', tokens.expires.after],
            ]}
            onChoose={(expires) => set({ expires })}
          />
          {form.expires === 'after' && (
            <Field
              label={tokens.expireTime}
              hint={rules.expireHint}
              dir="ltr"
              required
              pattern="\s*[1-9][0-9]{0,5}[dh]?\s*"
              title={rules.expireProblem}
              value={form.expire}
              onInput={typed('expire')}
            />
          )}
        </div>
        <Tick
          label={tokens.replace}
          hint={tokens.replaceHint}
          checked={form.replaces && form.name !== ''}
          disabled={form.name === ''}
          onChange={({ currentTarget }) => set({ replaces: currentTarget.checked })}
        />
        <div class="pair">
          <TextField
            label={tokens.metadata}
            hint={tokens.metadataHint}
            problem={linesProblem(form.metadata)}
            dir="ltr"
            rows={2}
            value={form.metadata}
            onInput={typed('metadata')}
          />
          <TextField
            label={tokens.callback}
            hint={tokens.callbackHint}
            problem={linesProblem(form.callback)}
            dir="ltr"
            rows={2}
            value={form.callback}
            onInput={typed('callback')}
          />
        </div>
      </details>
    </FormDialog>
  );
}
