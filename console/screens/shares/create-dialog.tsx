import { useState } from 'preact/hooks';

import { createShare, type CreatedShare } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { accountSession } from '../../app/session-state.ts';
import { words } from '../../app/words.ts';
import { formatNumber } from '../../format.ts';
import { Browser } from '../../objects/browser.tsx';
import { firstPrefix } from '../../objects/first-prefix.ts';
import { isFolder, keyOf, withoutSlash } from '../../objects/object-id.ts';
import { ObjectName } from '../../objects/object-name.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Lifetime, secondsOf, type ChosenLifetime } from './lifetime.tsx';
import { PageFields } from './page-fields.tsx';

/** Makes a link to files or to a folder, which are typed or chosen. */
export function CreateDialog({
  object,
  close,
}: {
  /** A file that is chosen already. */
  readonly object?: string | undefined;
  readonly close: (created?: CreatedShare) => void;
}) {
  const { shares } = words();
  const plan = accountSession().account.plan;
  const [kind, setKind] = useState<'files' | 'folder'>('files');
  const [path, setPath] = useState(object === undefined ? firstPrefix() : keyOf(object));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(object === undefined ? [] : [object]));
  const [lifetime, setLifetime] = useState<ChosenLifetime>({ choice: '604800', until: '' });
  const [form, setForm] = useState({ cap: '', password: '', landing: false, title: '', message: '' });
  const [problem, setProblem] = useState<string>();
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
    setProblem(undefined);
  };
  const run = async () => {
    const isReady = kind === 'folder' ? isFolder(path) : chosen.size > 0;
    if (!isReady) return setProblem(kind === 'folder' ? shares.choose.folderNone : shares.choose.none);
    const ids = [...chosen];
    const seconds = secondsOf(lifetime);
    const body = {
      ...(kind === 'folder'
        ? { prefix: withoutSlash(path) }
        : ids.length === 1
          ? { object: ids[0]! }
          : { objects: ids }),
      ...(seconds !== undefined && { expires_in: seconds }),
      ...(form.cap !== '' && { max_downloads: Number(form.cap) }),
      ...(form.password !== '' && { password: form.password }),
      // A bundle always has a page, unless the person says otherwise later.
      ...(form.landing && { landing: true }),
      ...(form.title.trim() !== '' && { title: form.title }),
      ...(form.message.trim() !== '' && { message: form.message }),
    };
    close(await ask(createShare({ body })));
  };
  return (
    <FormDialog title={shares.createTitle} action={shares.createAction} isWide run={run} onClose={() => close()}>
      <div class="field">
        <Segments<'files' | 'folder'>
          label={shares.kind}
          value={kind}
          options={[
            ['files', shares.choose.files],
            ['folder', shares.choose.folder],
          ]}
          onChoose={(next) => {
            setKind(next);
            setProblem(undefined);
          }}
        />
      </div>
      <Browser
        label={kind === 'folder' ? shares.choose.folderPath : shares.choose.path}
        hint={shares.choose.pathHint}
        problem={problem}
        path={path}
        onPath={(next) => {
          setPath(next);
          setProblem(undefined);
        }}
        {...(kind === 'files' && { chosen, onToggle: toggle })}
      />
      {kind === 'files' && chosen.size > 0 && (
        <>
          <p class="hint">{shares.choose.chosen(formatNumber(chosen.size))}</p>
          <ul class="chosen">
            {[...chosen].map((id) => (
              <li key={id}>
                <ObjectName id={id} />
                <IconButton icon="close" label={shares.choose.remove(keyOf(id))} onClick={() => toggle(id)} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Lifetime value={lifetime} mayKeep={false} onChange={setLifetime} />
      <div class="pair">
        <Field
          label={shares.cap}
          hint={shares.capHint}
          type="number"
          min={1}
          max={10_000}
          value={form.cap}
          onInput={({ currentTarget }) => setForm({ ...form, cap: currentTarget.value })}
        />
        <Field
          label={shares.password}
          hint={plan === 'pro' || plan === 'enterprise' ? shares.passwordHint : shares.passwordPlan}
          disabled={plan !== 'pro' && plan !== 'enterprise'}
          type="password"
          autocomplete="new-password"
          minLength={8}
          maxLength={128}
          value={form.password}
          onInput={({ currentTarget }) => setForm({ ...form, password: currentTarget.value })}
        />
      </div>
      <PageFields form={form} onChange={setForm} />
    </FormDialog>
  );
}
