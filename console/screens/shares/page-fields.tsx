import { words } from '../../app/words.ts';
import { Field, TextField, Tick } from '../../ui/field.tsx';

export interface PageTexts {
  readonly landing: boolean;
  readonly title: string;
  readonly message: string;
}

/** What visitors see before the file. */
export function PageFields<Form extends PageTexts>({
  form,
  onChange,
}: {
  readonly form: Form;
  readonly onChange: (form: Form) => void;
}) {
  const { shares } = words();
  return (
    <>
      <Tick
        label={shares.landing}
        checked={form.landing}
        onChange={({ currentTarget }) => onChange({ ...form, landing: currentTarget.checked })}
      />
      <details open={form.title !== '' || form.message !== ''}>
        <summary>{shares.more}</summary>
        <Field
          label={shares.title}
          hint={shares.titleHint}
          maxLength={100}
          value={form.title}
          onInput={({ currentTarget }) => onChange({ ...form, title: currentTarget.value })}
        />
        <TextField
          label={shares.message}
          maxLength={1000}
          rows={3}
          value={form.message}
          onInput={({ currentTarget }) => onChange({ ...form, message: currentTarget.value })}
        />
      </details>
    </>
  );
}
