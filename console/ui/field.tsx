import type { ComponentChildren, ComponentProps, TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';

interface Labelled {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly problem?: string | undefined;
}

type InputProps = Labelled & ComponentProps<'input'>;

/** A text field with its label above it, and a hint and a problem below it. */
export function Field({ label, hint, problem, ...rest }: InputProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...rest}
        id={id}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={noteOf(id, hint, problem)}
      />
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  );
}

/** A text of several lines. */
export function TextField({ label, hint, problem, ...rest }: Labelled & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        {...rest}
        id={id}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={noteOf(id, hint, problem)}
      />
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  );
}

/** A choice of one from a list. */
export function Choice<Value extends string>({
  label,
  hint,
  problem,
  value,
  options,
  onChoose,
  ...rest
}: Labelled & {
  readonly value: Value;
  readonly options: ReadonlyArray<readonly [Value, string]>;
  readonly onChoose: (value: Value) => void;
  readonly name?: string;
  readonly disabled?: boolean;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        {...rest}
        id={id}
        value={value}
        aria-describedby={noteOf(id, hint, problem)}
        onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  );
}

/** A box to tick, with its label beside it. */
export function Tick({
  label,
  hint,
  ...rest
}: {
  readonly label: string;
  readonly hint?: string;
  readonly name?: string;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly onChange?: (event: TargetedEvent<HTMLInputElement>) => void;
}) {
  const id = useId();
  return (
    <div class="tick">
      <input type="checkbox" {...rest} id={id} aria-describedby={hint === undefined ? undefined : `${id}-hint`} />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function noteOf(id: string, hint: ComponentChildren, problem: string | undefined): string | undefined {
  return problem !== undefined ? `${id}-problem` : hint !== undefined ? `${id}-hint` : undefined;
}

function Notes({ id, hint, problem }: { readonly id: string } & Omit<Labelled, 'label'>) {
  if (problem !== undefined)
    return (
      <p class="problem-text" id={`${id}-problem`}>
        {problem}
      </p>
    );
  return hint === undefined ? null : (
    <p class="hint" id={`${id}-hint`}>
      {hint}
    </p>
  );
}
