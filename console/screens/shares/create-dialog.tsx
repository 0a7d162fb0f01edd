import { useState } from 'preact/hooks';

import { createShare, type CreatedShare, type NewShare } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { accountSession } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Browser } from '../../files/browser.tsx';
import { firstPrefix } from '../../files/first-prefix.ts';
import { isFolder, keyOf, withoutSlash } from '../../files/object-id.ts';
import { ObjectName } from '../../files/object-name.tsx';
import { shownPath, type Named } from '../../files/shown-name.ts';
import { IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Lifetime, secondsOf, type ChosenLifetime } from './lifetime.tsx';
import { PageFields, type PageTexts } from './page-fields.tsx';

interface Form extends PageTexts {
  readonly cap: string;
  readonly password: string;
}

const emptyForm: Form = { cap: '', password: '', landing: false, title: '', message: '' };

/** Makes a link to files or to a folder, which are typed or chosen. */
export function CreateDialog({
  object,
  close,
}: {
  /** A file that is chosen already. */
  readonly object?: string | undefined;
  readonly close: (created?: CreatedShare) => void;
}) {
  const { shares } = messages();
  const [kind, setKind] = useState<'files' | 'folder'>('files');
  const [path, setPath] = useState(object === undefined ? firstPrefix() : keyOf(object));
  const [chosen, setChosen] = useState<ReadonlyMap<string, Named>>(
    new Map<string, Named>(object === undefined ? [] : [[object, { id: object }]]),
  );
  const [lifetime, setLifetime] = useState<ChosenLifetime>({ choice: '604800', until: '' });
  const [form, setForm] = useState(emptyForm);
  const [problem, setProblem] = useState<string>();
  const toggle = (file: Named) => {
    const next = new Map(chosen);
    if (!next.delete(file.id)) next.set(file.id, file);
    setChosen(next);
    setProblem(undefined);
  };
  const run = async () => {
    const isReady = kind === 'folder' ? isFolder(path) : chosen.size > 0;
    if (!isReady) return setProblem(kind === 'folder' ? shares.choose.folderNone : shares.choose.none);
    const target = kind === 'folder' ? { prefix: withoutSlash(path) } : filesOf([...chosen.keys()]);
    const body = { ...target, ...optionsOf(form, secondsOf(lifetime)) };
    close(await ask(createShare({ body })));
  };
  return (
    <FormDialog title={shares.createTitle} action={shares.createAction} isWide run={run} onClose={() => close()}>
      <div class="field">
        <Segments
          label={shares.kind}
          value={kind}
          options={(['files', 'folder'] as const).map((one) => [one, shares.choose[one]])}
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
      {kind === 'files' && chosen.size > 0 && <Chosen files={[...chosen.values()]} onRemove={toggle} />}
      <Lifetime value={lifetime} mayKeep={false} onChange={setLifetime} />
      <LimitFields form={form} onChange={setForm} />
      <PageFields form={form} onChange={setForm} />
    </FormDialog>
  );
}

function filesOf(ids: readonly string[]): Pick<NewShare, 'object' | 'objects'> {
  return ids.length === 1 ? { object: ids[0]! } : { objects: [...ids] };
}

function optionsOf({ cap, password, landing, title, message }: Form, seconds: number | undefined): NewShare {
  return {
    ...(seconds !== undefined && { expires_in: seconds }),
    ...(cap !== '' && { max_downloads: Number(cap) }),
    ...(password !== '' && { password }),
    // A bundle always has a page, unless the person says otherwise later.
    ...(landing && { landing: true }),
    ...(title.trim() !== '' && { title }),
    ...(message.trim() !== '' && { message }),
  };
}

function Chosen({ files, onRemove }: { readonly files: readonly Named[]; readonly onRemove: (file: Named) => void }) {
  const { shares } = messages();
  return (
    <>
      <p class="hint">{shares.choose.chosen(formatNumber(files.length))}</p>
      <ul class="chosen">
        {files.map((file) => (
          <li key={file.id}>
            <ObjectName file={file} />
            <IconButton icon="close" label={shares.choose.remove(shownPath(file))} onClick={() => onRemove(file)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function LimitFields({ form, onChange }: { readonly form: Form; readonly onChange: (form: Form) => void }) {
  const { shares } = messages();
  const { typed } = formInputs(form, onChange);
  const { plan } = accountSession().account;
  const mayLock = plan === 'pro' || plan === 'enterprise';
  return (
    <div class="pair">
      <Field label={shares.cap} hint={shares.capHint} type="number" min={1} max={10_000} {...typed('cap')} />
      <PasswordField
        label={shares.password}
        hint={mayLock ? shares.passwordHint : shares.passwordPlan}
        disabled={!mayLock}
        {...typed('password')}
      />
    </div>
  );
}
