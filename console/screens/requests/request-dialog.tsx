import { useState } from 'preact/hooks';

import { createFileRequest, updateFileRequest, type FileRequest } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { accountSession } from '../../app/session-state.ts';
import { timeZone } from '../../app/settings.ts';
import { words } from '../../app/words.ts';
import { localInput } from '../../local-time.ts';
import { firstPrefix } from '../../objects/first-prefix.ts';
import { folderPattern } from '../../objects/object-id.ts';
import { Choice, Field, TextField, Tick } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
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
  const { requests, common } = words();
  const zone = timeZone.value;
  const [form, setForm] = useState<RequestForm>(() =>
    request ? formOf(request, zone) : { ...emptyForm, prefix: firstPrefix() },
  );
  const plan = accountSession().account.plan;
  const mayLock = plan === 'pro' || plan === 'enterprise' || request?.password === true;
  const typed = (key: keyof RequestForm) => (event: { currentTarget: { value: string } }) =>
    setForm({ ...form, [key]: event.currentTarget.value });
  const run = async () => {
    if (!request) return close(await ask(createFileRequest({ body: newRequestOf(form, zone) })));
    const change = changeOf(request, form, zone);
    close(change && (await ask(updateFileRequest({ body: change }))));
  };
  const inputAt = (ms: number) => localInput(new Date(Date.now() + ms).toISOString(), zone);
  return (
    <FormDialog
      title={request ? requests.changeTitle : requests.createTitle}
      action={request ? common.save : requests.createAction}
      isWide
      run={run}
      onClose={() => close()}
    >
      <div class="pair">
        <Field
          label={requests.title}
          hint={requests.titleHint}
          required
          maxLength={100}
          autofocus
          value={form.title}
          onInput={typed('title')}
        />
        {!request && (
          <Field
            label={requests.prefix}
            hint={requests.prefixHint}
            required
            dir="ltr"
            maxLength={256}
            pattern={folderPattern}
            title={requests.prefixHint}
            value={form.prefix}
            onInput={typed('prefix')}
          />
        )}
      </div>
      <TextField label={requests.note} maxLength={2000} rows={3} value={form.note} onInput={typed('note')} />
      <Tick
        label={requests.senderFolders}
        checked={form.senderFolders}
        onChange={({ currentTarget }) => setForm({ ...form, senderFolders: currentTarget.checked })}
      />
      <h3>{requests.limits}</h3>
      <div class="pair">
        <Field
          label={requests.deadline}
          hint={requests.deadlineHint(zone ?? requests.ownZone)}
          type="datetime-local"
          min={request ? undefined : inputAt(0)}
          max={inputAt(longestMs)}
          value={form.deadline}
          onInput={typed('deadline')}
        />
        <Field
          label={requests.grace}
          type="number"
          required
          min={0}
          max={10_080}
          step="any"
          value={form.graceMinutes}
          onInput={typed('graceMinutes')}
        />
        <Field
          label={requests.maxFiles}
          hint={requests.countHint}
          type="number"
          min={1}
          max={100_000}
          value={form.maxFiles}
          onInput={typed('maxFiles')}
        />
        <SizeField
          label={requests.maxBytes}
          value={form.maxBytes}
          onChange={(maxBytes) => setForm({ ...form, maxBytes })}
        />
        <SizeField
          label={requests.maxSize}
          value={form.maxSize}
          onChange={(maxSize) => setForm({ ...form, maxSize })}
        />
        <Field
          label={requests.extensions}
          hint={requests.extensionsHint}
          dir="ltr"
          value={form.extensions}
          onInput={typed('extensions')}
        />
        {request?.password && (
          <Choice<RequestForm['password']>
            label={requests.password}
            value={form.password}
            options={[
              ['keep', requests.passwordKeep],
              ['change', requests.passwordChange],
              ['remove', requests.passwordRemove],
            ]}
            onChoose={(password) => setForm({ ...form, password })}
          />
        )}
        {form.password === 'change' && (
          <Field
            label={request?.password ? requests.newPassword : requests.password}
            hint={mayLock ? requests.passwordHint : requests.passwordPlan}
            disabled={!mayLock}
            required={request?.password === true}
            type="password"
            autocomplete="new-password"
            minLength={8}
            maxLength={128}
            value={form.newPassword}
            onInput={typed('newPassword')}
          />
        )}
      </div>
    </FormDialog>
  );
}
