import { useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { Field, TextField, Tick } from '../../ui/field.tsx';
import { formInputs } from '../../ui/form-inputs.ts';

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
  const { shares } = messages();
  // Only at first: emptied fields must not close under the person who types.
  const [isOpen] = useState(form.title !== '' || form.message !== '');
  const { typed, ticked } = formInputs<PageTexts>(form, (texts) => onChange({ ...form, ...texts }));
  return (
    <>
      <Tick label={shares.landing} {...ticked('landing')} />
      <details open={isOpen}>
        <summary>{shares.more}</summary>
        <Field label={shares.title} hint={shares.titleHint} maxLength={100} {...typed('title')} />
        <TextField label={shares.message} maxLength={1000} rows={3} {...typed('message')} />
      </details>
    </>
  );
}
