import { useState } from 'preact/hooks';

import { updateAccount, type OperatorAccount, type OperatorAccountChange } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { openDialog } from '../../ui/dialogs.tsx';
import { Field } from '../../ui/field.tsx';
import { FieldsDialog, textIn } from '../../ui/fields-dialog.tsx';
import { changeOf, gibibytes } from './account-change.ts';
import { PlanChoice } from './new-account.tsx';

/** Asks for another plan, quota or budget, and changes what differs. Resolves to the account as it is then. */
export function changeAccount(account: OperatorAccount): Promise<OperatorAccount | undefined> {
  return openDialog<OperatorAccount>((close) => <ChangeAccount account={account} close={close} />);
}

function ChangeAccount({
  account,
  close,
}: {
  readonly account: OperatorAccount;
  readonly close: (changed?: OperatorAccount) => void;
}) {
  const text = messages().accounts;
  const [plan, setPlan] = useState(account.plan);
  return (
    <FieldsDialog<OperatorAccount>
      title={text.change}
      action={messages().common.save}
      close={close}
      run={async (fields) => {
        const given = { plan, quotaGib: textIn(fields, 'quota'), aiBudget: textIn(fields, 'budget') };
        const body: OperatorAccountChange | undefined = changeOf(account, given);
        return body ? ask(updateAccount({ path: { account_id: account.account_id }, body })) : account;
      }}
    >
      <PlanChoice value={plan} onChoose={setPlan} />
      <Field
        label={text.quota}
        hint={text.quotaHint}
        name="quota"
        type="number"
        min={0}
        max={8_000_000}
        step="any"
        defaultValue={gibibytes(account.own_quota_bytes)}
      />
      <Field
        label={text.aiBudget}
        hint={text.aiBudgetHint}
        name="budget"
        type="number"
        min={1}
        max={20_000_000}
        step={1}
        defaultValue={account.own_ai_budget === null ? '' : String(account.own_ai_budget)}
      />
    </FieldsDialog>
  );
}
