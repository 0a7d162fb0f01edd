import { useState } from 'preact/hooks';

import type { S3Credentials } from '#dist/modules/client/index.js';

import { ApiError } from '../../app/api-error.ts';
import { accountSession } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Field } from '../../ui/field.tsx';
import { errorText } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { AccessFacts } from './access-facts.tsx';
import { readPair } from './read-pair.ts';

/** Asks for the API key once, and shows its pair. Both are only in the memory of this screen. */
export function PairCard({
  pair,
  onPair,
}: {
  readonly pair: S3Credentials | undefined;
  readonly onPair: (pair: S3Credentials | undefined) => void;
}) {
  const { s3 } = messages();
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      onPair(await readPair(key));
    } catch (error) {
      setProblem(problemOf(error));
    }
    setKey('');
    setBusy(false);
  };
  if (pair) return <Pair pair={pair} onHide={() => onPair(undefined)} />;
  return (
    <section class="card">
      <h2>{s3.pair}</h2>
      <p class="s3-why">{s3.why}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          label={s3.key}
          hint={s3.keyHint}
          problem={problem}
          type="password"
          dir="ltr"
          required
          autocomplete="off"
          spellcheck={false}
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <Button kind="first" type="submit" icon="eye" isBusy={isBusy}>
          {s3.show}
        </Button>
      </form>
    </section>
  );
}

function Pair({ pair, onHide }: { readonly pair: S3Credentials; readonly onHide: () => void }) {
  const { s3, common } = messages();
  // The id of a pair is `CB`, the 18 digits of the account and a suffix.
  const isOther = pair.access_key_id.slice(2, 20) !== accountSession().account.id;
  return (
    <section class="card s3-pair">
      <h2>{s3.pair}</h2>
      {isOther && <p class="note">{s3.otherAccount}</p>}
      <p class="s3-label">{s3.accessKeyId}</p>
      <Copyable text={pair.access_key_id} label={s3.copyId} />
      <p class="s3-label">{s3.secret}</p>
      <Copyable text={pair.secret_access_key} label={s3.copySecret} />
      <p class="hint">{s3.secretHint}</p>
      <h3>{s3.access}</h3>
      <AccessFacts read={pair.access.read} write={pair.access.write} />
      <p class="hint">
        {s3.ends}: {pair.expires_at === null ? common.never : <Time at={pair.expires_at} />}
      </p>
      <Button onClick={onHide}>{s3.hide}</Button>
    </section>
  );
}

function problemOf(error: unknown): string {
  const { s3 } = messages();
  if (!(error instanceof ApiError)) return errorText(error);
  if (error.code === 'LEGACY_API_KEY') return s3.legacy;
  if (error.code === 'MISSING_SCOPE') return s3.missingScope;
  return error.status === 401 ? s3.expired : errorText(error);
}
