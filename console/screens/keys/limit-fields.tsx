import { messages } from '../../app/messages.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import { amounts, wrongAmounts, type LimitsDraft } from './draft.ts';

/** The limits of a key in the AI gateway. */
export function LimitFields({
  draft,
  onChange,
}: {
  readonly draft: LimitsDraft;
  readonly onChange: (draft: LimitsDraft) => void;
}) {
  const { keys } = messages();
  const wrong = wrongAmounts(draft);
  return (
    <>
      <p class="hint">{keys.aiHint}</p>
      <div class="ai-fields">
        {amounts.map((name) => (
          <Field
            key={name}
            label={keys.limits[name]}
            problem={wrong.has(name) ? (name === 'cost_per_day' ? keys.costWrong : keys.amountWrong) : undefined}
            inputMode={name === 'cost_per_day' ? 'decimal' : 'numeric'}
            autocomplete="off"
            value={draft[name]}
            onInput={({ currentTarget }) => onChange({ ...draft, [name]: currentTarget.value.trim() })}
          />
        ))}
      </div>
      <TextField label={keys.models} hint={keys.modelsHint} rows={2} {...formInputs(draft, onChange).typed('models')} />
    </>
  );
}
