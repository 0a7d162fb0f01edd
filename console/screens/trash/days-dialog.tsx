import { useState } from 'preact/hooks';

import { replaceSettings } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Changes for how many days the trash keeps what is deleted in the console. */
export function DaysDialog({ days, close }: { readonly days: number; readonly close: (changed?: number) => void }) {
  const { trash, common } = messages();
  const [typed, setTyped] = useState(String(days));
  const run = async () => {
    const body = { keep_deleted_days: Number(typed) };
    const changed = await ask(replaceSettings({ body }));
    toast(trash.daysSaved);
    close(changed.keep_deleted_days);
  };
  return (
    <FormDialog
      title={trash.daysTitle}
      action={common.save}
      run={run}
      isReady={/^\d{1,3}$/.test(typed)}
      onClose={() => close()}
    >
      <Field
        label={trash.days}
        hint={trash.daysHint}
        type="number"
        min={0}
        max={365}
        required
        autofocus
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </FormDialog>
  );
}
