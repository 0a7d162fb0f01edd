import type { ComponentProps } from 'preact';

import { Field } from './field.tsx';

type Props = Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'disabled' | 'required' | 'value' | 'onInput'>;

/** A field for a new password. */
export function PasswordField(props: Props) {
  return <Field {...props} type="password" autocomplete="new-password" minLength={8} maxLength={128} />;
}
