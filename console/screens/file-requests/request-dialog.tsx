import { useState } from 'preact/hooks';

import { createFileRequest, updateFileRequest, type FileRequest } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { accountSession } from '../../app/session-state.ts';
import { timeZone } from '../../app/settings.ts';
import { messages } from '../../app/messages.ts';
import { localInput } from '../../local-time.ts';
import { firstPrefix } from '../../files/first-prefix.ts';
import { folderPattern } from '../../files/object-id.ts';
import { Choice, Field, TextField, Tick } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { SizeField } from '../../ui/size-field.tsx';
import { changeOf, emptyForm, formOf, newRequestOf, type RequestForm } from './request-form.ts';

const longestMs = 366 * 86_400_000;

/** Makes a request, or changes the given one. */
export function RequestDialog({
  request,
  close,
}: {
  readonly request?: FileRequest;
  readonly close: (saved?: FileRequest) => void;
}) {
  const { fileRequests, common } = messages();
  const zone = timeZone.value;
  const [form, setForm] = useState<RequestForm>(() =>
    request ? formOf(request, zone) : { ...emptyForm, prefix: firstPrefix() },
  );
  const { typed, ticked } = formInputs(form, setForm);
  const run = async () => {
    if (!request) return close(await ask(createFileRequest({ body: newRequestOf(form, zone) })));
    const change = changeOf(request, form, zone);
    close(change && (await ask(updateFileRequest({ body: change }))));
  };
  return (
    <FormDialog
      title={request ? fileRequests.changeTitle : fileRequests.createTitle}
      action={request ? common.save : fileRequests.createAction}
      isWide
      run={run}
      onClose={() => close()}
    >
      <div class="pair">
        <Field
          label={fileRequests.title}
          hint={fileRequests.titleHint}
          required
          maxLength={100}
          autofocus
          {...typed('title')}
        />
        {!request && (
          <Field
            label={fileRequests.prefix}
            hint={fileRequests.prefixHint}
            required
            dir="ltr"
            maxLength={256}
            pattern={folderPattern}
            title={fileRequests.prefixHint}
            {...typed('prefix')}
          />
        )}
      </div>
      <TextField label={fileRequests.note} maxLength={2000} rows={3} {...typed('note')} />
      <Tick label={fileRequests.senderFolders} {...ticked('senderFolders')} />
      <h3>{fileRequests.limits}</h3>
      <LimitFields request={request} form={form} onChange={setForm} />
    </FormDialog>
  );
}

/** When a request ends, what it takes, and its password. */
function LimitFields({
  request,
  form,
  onChange,
}: {
  readonly request: FileRequest | undefined;
  readonly form: RequestForm;
  readonly onChange: (form: RequestForm) => void;
}) {
  const { fileRequests } = messages();
  const zone = timeZone.value;
  const { typed } = formInputs(form, onChange);
  const inputAt = (ms: number) => localInput(new Date(Date.now() + ms).toISOString(), zone);
  return (
    <div class="pair">
      <Field
        label={fileRequests.deadline}
        hint={fileRequests.deadlineHint(zone ?? fileRequests.ownZone)}
        type="datetime-local"
        min={request ? undefined : inputAt(0)}
        max={inputAt(longestMs)}
        {...typed('deadline')}
      />
      <Field
        label={fileRequests.grace}
        type="number"
        required
        min={0}
        max={10_080}
        step="any"
        {...typed('graceMinutes')}
      />
      <Field
        label={fileRequests.maxFiles}
        hint={fileRequests.countHint}
        type="number"
        min={1}
        max={100_000}
        {...typed('maxFiles')}
      />
      <SizeField label={fileRequests.maxBytes} {...typed('maxBytes')} />
      <SizeField label={fileRequests.maxSize} {...typed('maxSize')} />
      <Field label={fileRequests.extensions} hint={fileRequests.extensionsHint} dir="ltr" {...typed('extensions')} />
      <PasswordFields isSet={request?.password === true} form={form} onChange={onChange} />
    </div>
  );
}

function PasswordFields({
  isSet,
  form,
  onChange,
}: {
  readonly isSet: boolean;
  readonly form: RequestForm;
  readonly onChange: (form: RequestForm) => void;
}) {
  const { fileRequests } = messages();
  const plan = accountSession().account.plan;
  const mayLock = plan === 'pro' || plan === 'enterprise' || isSet;
  const { typed, chosen } = formInputs(form, onChange);
  return (
    <>
      {isSet && (
        <Choice
          label={fileRequests.password}
          options={[
            ['keep', fileRequests.passwordKeep],
            ['change', fileRequests.passwordChange],
            ['remove', fileRequests.passwordRemove],
          ]}
          {...chosen('password')}
        />
      )}
      {form.password === 'change' && (
        <PasswordField
          label={isSet ? fileRequests.newPassword : fileRequests.password}
          hint={mayLock ? fileRequests.passwordHint : fileRequests.passwordPlan}
          disabled={!mayLock}
          required={isSet}
          {...typed('newPassword')}
        />
      )}
    </>
  );
}
