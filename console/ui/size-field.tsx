import type { ComponentProps } from 'preact';

import { messages } from '../app/messages.ts';
import { sizePattern } from '../inputs.ts';
import { Field } from './field.tsx';

/** A field for a size as people write it, such as `100 MB`. */
export function SizeField(props: ComponentProps<typeof Field>) {
  const { common } = messages();
  return <Field hint={common.sizeHint} dir="ltr" pattern={sizePattern} title={common.sizeProblem} {...props} />;
}
