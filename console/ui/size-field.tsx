import { words } from '../app/words.ts';
import { sizePattern } from '../inputs.ts';
import { Field } from './field.tsx';

/** A field for a size as people write it, such as `100 MB`. */
export function SizeField({
  label,
  value,
  onChange,
  problem,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly problem?: string | undefined;
}) {
  const { requests } = words();
  return (
    <Field
      label={label}
      hint={requests.sizeHint}
      problem={problem}
      dir="ltr"
      pattern={sizePattern}
      title={requests.sizeProblem}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
