import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { messages } from '../app/messages.ts';
import { digitsOf } from './digits.ts';
import { Field } from './field.tsx';

interface TypedNumber {
  readonly field: ComponentChildren;
  /** Returns whether the number was typed, and says so below the field if it was not. */
  check(): boolean;
}

/**
 * A field for a number that a person types, so that nothing large is done by a slip.
 *
 * @param number as it is written in the language. Undefined if none has to be typed
 */
export function useTypedNumber(number: string | undefined): TypedNumber {
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { common } = messages();
  if (number === undefined) return { field: null, check: () => true };
  return {
    field: (
      <Field
        label={common.typeNumber(number)}
        problem={isWrong ? common.typeNumberProblem(number) : undefined}
        inputMode="numeric"
        autocomplete="off"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    ),
    check() {
      const isRight = digitsOf(typed) === digitsOf(number);
      setWrong(!isRight);
      return isRight;
    },
  };
}
