import { useRef, useState } from 'preact/hooks';

import { signIn } from '../app/session.ts';
import { messages } from '../app/messages.ts';
import { Button } from '../ui/button.tsx';
import { Field, Tick } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';

/** Takes a key and exchanges it for a session. The field is emptied at once, also after a failure. */
export function KeyForm({
  label,
  hint,
  canRemember,
}: {
  readonly label: string;
  readonly hint: string;
  readonly canRemember: boolean;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const form = useRef<HTMLFormElement>(null);
  const submit = async () => {
    const given = new FormData(form.current!);
    const typed = given.get('key');
    const key = typeof typed === 'string' ? typed.trim() : '';
    if (key === '') return;
    setBusy(true);
    setError(undefined);
    try {
      await signIn(key, given.get('remember') !== null);
    } catch (failure) {
      form.current?.reset();
      setError(failure);
      setBusy(false);
    }
  };
  const { signIn: text } = messages();
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label={label}
        hint={hint}
        name="key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        autofocus
      />
      {canRemember && <Tick label={text.remember} hint={text.rememberHint} name="remember" />}
      {error !== undefined && <Problem error={error} />}
      <Button kind="first" type="submit" isBusy={isBusy} class="whole">
        {text.submit}
      </Button>
    </form>
  );
}
