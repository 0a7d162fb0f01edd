import { useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Choice, Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import type { Change, Settings } from './changes.ts';
import type { Entry } from './entry.ts';

interface Form {
  readonly visibility: 'keep' | 'public' | 'private';
  readonly expiry: 'keep' | 'none' | 'set';
  readonly days: string;
  readonly disposition: 'keep' | 'none' | 'inline' | 'attachment';
  readonly cache: 'keep' | 'none' | 'immutable' | 'set';
  readonly seconds: string;
}

const unchanged: Form = {
  visibility: 'keep',
  expiry: 'keep',
  days: '30',
  disposition: 'keep',
  cache: 'keep',
  seconds: '3600',
};

function settingsOf({ visibility, expiry, days, disposition, cache, seconds }: Form): Settings {
  return {
    ...(visibility !== 'keep' && { private: visibility === 'private' }),
    ...(expiry !== 'keep' && { expire: expiry === 'none' ? null : `${days}d` }),
    ...(cache !== 'keep' && {
      cache_control: cache === 'none' ? null : cache === 'immutable' ? 'immutable' : `max-age=${seconds}`,
    }),
    ...(disposition !== 'keep' && { disposition: disposition === 'none' ? null : disposition }),
  };
}

/** Asks what to change: visibility, expiry and headers. Everything stays that is not chosen. */
export function SettingsDialog({
  entries,
  close,
}: {
  readonly entries: readonly Entry[];
  readonly close: (change?: Change) => void;
}) {
  const [form, setForm] = useState(unchanged);
  const { files, common } = messages();
  const { typed, chosen } = formInputs(form, setForm);
  const settings = settingsOf(form);
  return (
    <FormDialog
      title={entries.length === 1 ? files.changeOne(entries[0]!.name) : files.changeTitle(formatNumber(entries.length))}
      action={files.change}
      isReady={Object.keys(settings).length > 0}
      run={() => close({ action: 'update', ...settings })}
      onClose={() => close()}
    >
      <Choice
        label={files.visibility}
        hint={files.visibilityHint}
        options={[
          ['keep', files.keep],
          ['public', files.public],
          ['private', files.private],
        ]}
        {...chosen('visibility')}
      />
      <Choice
        label={files.expiry}
        options={[
          ['keep', files.keep],
          ['none', common.never],
          ['set', files.afterDays],
        ]}
        {...chosen('expiry')}
      />
      {form.expiry === 'set' && (
        <Field label={files.days} type="number" min={1} max={1825} required {...typed('days')} />
      )}
      {entries.every(({ kind }) => kind === 'file') && <HeaderFields form={form} onChange={setForm} />}
    </FormDialog>
  );
}

function HeaderFields({ form, onChange }: { readonly form: Form; readonly onChange: (form: Form) => void }) {
  const { files } = messages();
  const { typed, chosen } = formInputs(form, onChange);
  return (
    <>
      <Choice
        label={files.disposition}
        options={[
          ['keep', files.keep],
          ['none', files.standard],
          ['inline', files.inline],
          ['attachment', files.attachment],
        ]}
        {...chosen('disposition')}
      />
      <Choice
        label={files.cacheControl}
        options={[
          ['keep', files.keep],
          ['none', files.standard],
          ['immutable', files.immutable],
          ['set', files.maxAge],
        ]}
        {...chosen('cache')}
      />
      {form.cache === 'set' && (
        <Field label={files.seconds} type="number" min={60} max={31_536_000} required {...typed('seconds')} />
      )}
    </>
  );
}
