import { useState } from 'preact/hooks';

import { createAccount, type OperatorNewAccountKey, type Plan } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { openDialog } from '../../ui/dialogs.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { FieldsDialog, textIn } from '../../ui/fields-dialog.tsx';

const plans = ['none', 'hobby', 'standard', 'pro', 'enterprise'] as const satisfies readonly Plan[];

/** Asks for a new account and makes it. Resolves to it, with its first key. */
export function askForAccount(): Promise<OperatorNewAccountKey | undefined> {
  return openDialog<OperatorNewAccountKey>((close) => <NewAccount close={close} />);
}

function NewAccount({ close }: { readonly close: (made?: OperatorNewAccountKey) => void }) {
  const text = messages().accounts;
  const [plan, setPlan] = useState<Plan>('pro');
  return (
    <FieldsDialog<OperatorNewAccountKey>
      title={text.create}
      action={text.create}
      close={close}
      run={(fields) => ask(createAccount({ body: { name: textIn(fields, 'name') ?? '', plan } }))}
    >
      <Field label={text.name} name="name" required maxLength={64} autofocus autocomplete="off" />
      <PlanChoice value={plan} onChoose={setPlan} />
    </FieldsDialog>
  );
}

export function PlanChoice({ value, onChoose }: { readonly value: Plan; readonly onChoose: (plan: Plan) => void }) {
  const text = messages().accounts;
  return (
    <Choice<Plan>
      label={text.plan}
      value={value}
      options={plans.map((plan) => [plan, text.plans[plan]] as const)}
      onChoose={onChoose}
    />
  );
}
