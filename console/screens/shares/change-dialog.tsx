import { useState } from 'preact/hooks';

import { updateShare, type Share } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Choice, Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Lifetime, secondsOf, type ChosenLifetime } from './lifetime.tsx';
import { PageFields } from './page-fields.tsx';
import { changeOf, type ShareForm } from './share-change.ts';

/** Changes the end, the limit, the password and the page of a link. */
export function ChangeDialog({ share, close }: { readonly share: Share; readonly close: (changed?: Share) => void }) {
  const { shares, common } = messages();
  const [lifetime, setLifetime] = useState<ChosenLifetime>({ choice: 'keep', until: '' });
  const [form, setForm] = useState<Omit<ShareForm, 'seconds'>>({
    cap: share.max_downloads === null ? '' : String(share.max_downloads),
    password: share.password ? 'keep' : 'change',
    newPassword: '',
    landing: share.landing,
    title: share.title ?? '',
    message: share.message ?? '',
  });
  const { typed, chosen } = formInputs(form, setForm);
  const run = async () => {
    const change = changeOf(share, { ...form, seconds: secondsOf(lifetime) });
    if (!change) return close();
    const changed = await ask(updateShare({ body: change }));
    toast(shares.changed);
    close(changed);
  };
  return (
    <FormDialog title={shares.changeTitle} action={common.save} run={run} onClose={() => close()}>
      <Lifetime value={lifetime} mayKeep onChange={setLifetime} />
      <Field
        label={shares.cap}
        hint={shares.capChangeHint(formatNumber(share.downloads))}
        type="number"
        min={1}
        max={10_000}
        {...typed('cap')}
      />
      {share.password && (
        <Choice
          label={shares.password}
          {...chosen('password')}
          options={[
            ['keep', shares.passwords.keep],
            ['change', shares.passwords.change],
            ['remove', shares.passwords.remove],
          ]}
        />
      )}
      {form.password === 'change' && (
        <PasswordField
          label={shares.newPassword}
          hint={shares.passwordHint}
          required={share.password}
          {...typed('newPassword')}
        />
      )}
      <PageFields form={form} onChange={setForm} />
    </FormDialog>
  );
}
