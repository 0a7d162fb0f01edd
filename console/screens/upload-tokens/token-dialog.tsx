import { useState } from 'preact/hooks';

import { createUploadToken, type NewUploadToken, type UploadToken } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { accountSession } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { parseMetadata } from '../../inputs.ts';
import { firstPrefix } from '../../files/first-prefix.ts';
import { folderPattern } from '../../files/object-id.ts';
import { Choice, Field, TextField, Tick } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import { SizeField } from '../../ui/size-field.tsx';
import { emptyToken, tokenOf, type TokenForm } from './token-form.ts';

/** A token with the options that it was made with. */
export interface MadeToken {
  readonly token: UploadToken;
  readonly options: NewUploadToken;
}

/** Makes an upload token, with all that it can pin. */
export function TokenDialog({ close }: { readonly close: (made?: MadeToken) => void }) {
  const { rules } = messages();
  const { tokens } = rules;
  const [form, setForm] = useState<TokenForm>(() => ({ ...emptyToken, prefix: firstPrefix() }));
  const [isChecked, setChecked] = useState(false);
  const { typed } = formInputs(form, setForm);
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
          {...typed('prefix')}
        />
        <SizeField label={tokens.maxSize} {...typed('maxSize')} />
        <Field label={tokens.extensions} hint={rules.extensionsHint} dir="ltr" {...typed('extensions')} />
        <Field label={tokens.origins} hint={tokens.originsHint} dir="ltr" {...typed('origins')} />
        <Field label={tokens.minutes} type="number" required min={1} max={60} {...typed('minutes')} />
        <Field label={tokens.uses} type="number" required min={1} max={100} {...typed('uses')} />
      </div>
      <details>
        <summary>{tokens.options}</summary>
        <FurtherFields form={form} isChecked={isChecked} onChange={setForm} />
      </details>
    </FormDialog>
  );
}

/** What most tokens leave to the page. */
function FurtherFields({
  form,
  isChecked,
  onChange,
}: {
  readonly form: TokenForm;
  /** Whether lines that cannot be read are marked. */
  readonly isChecked: boolean;
  readonly onChange: (form: TokenForm) => void;
}) {
  const { rules } = messages();
  const { tokens } = rules;
  const { typed, chosen } = formInputs(form, onChange);
  const lines = (key: 'metadata' | 'callback') => ({
    dir: 'ltr' as const,
    rows: 2,
    problem: isChecked && parseMetadata(form[key]) === undefined ? tokens.lines : undefined,
    ...typed(key),
  });
  return (
    <>
      <div class="pair">
        <Choice
          label={tokens.visibility}
          options={(['none', 'yes', 'no'] as const).map((one) => [one, rules.privates[one]])}
          {...chosen('visibility')}
        />
        <Field label={tokens.name} hint={tokens.nameHint} dir="ltr" maxLength={128} {...typed('name')} />
        <Choice
          label={tokens.expire}
          options={(['page', 'never', 'after'] as const).map((one) => [one, tokens.expires[one]])}
          {...chosen('expires')}
        />
        {form.expires === 'after' && (
          <Field
            label={tokens.expireTime}
            hint={rules.expireHint}
            dir="ltr"
            required
            pattern="\s*[1-9][0-9]{0,5}[dh]?\s*"
            title={rules.expireProblem}
            {...typed('expire')}
          />
        )}
      </div>
      <Tick
        label={tokens.replace}
        hint={tokens.replaceHint}
        checked={form.replaces && form.name !== ''}
        disabled={form.name === ''}
        onChange={({ currentTarget }) => onChange({ ...form, replaces: currentTarget.checked })}
      />
      <div class="pair">
        <TextField label={tokens.metadata} hint={tokens.metadataHint} {...lines('metadata')} />
        <TextField label={tokens.callback} hint={tokens.callbackHint} {...lines('callback')} />
      </div>
    </>
  );
}
