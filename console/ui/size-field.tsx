import type { ComponentProps } from 'preact';

import { messages } from '../app/messages.ts';
import { sizePattern } from '../inputs.ts';
import { Field } from './field.tsx';

/** A field for a size as people write it, such as `100 MB`. */
export function SizeField(props: ComponentProps<typeof Field>) {
  const { requests } = messages();
  return <Field hint={requests.sizeHint} dir="ltr" pattern={sizePattern} title={requests.sizeProblem} {...props} />;
}
