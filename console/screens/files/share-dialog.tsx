import { useState } from 'preact/hooks';

import { createShare, type CreatedShare, type NewShare } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable, copyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, Tick } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formInputs } from '../../ui/form-inputs.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { Time } from '../../ui/time.tsx';
import { toastError } from '../../ui/toasts.tsx';
import type { Entry, FileEntry } from './entry.ts';
import { setVisibility } from './set-visibility.ts';
import { SendButton } from '../../ui/send-button.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

const lifetimes = ['3600', '86400', '604800', '2592000'] as const;

interface Form {
  readonly lifetime: (typeof lifetimes)[number];
  /** How many downloads; empty for any number. */
  readonly most: string;
  readonly password: string;
  readonly hasPage: boolean;
}

/** Makes a share link to files or a folder, and shows it with its QR code. */
export function ShareDialog({
  entries: initial,
  onChanged,
  close,
}: {
  readonly entries: readonly Entry[];
  /** Called after files were made private. */
  readonly onChanged: () => void;
  readonly close: () => void;
}) {
  const [share, setShare] = useState<CreatedShare>();
  const [entries, setEntries] = useState(initial);
  const { files } = messages();
  const title = entries.length === 1 ? files.shareTitle(entries[0]!.name) : files.shareMany(String(entries.length));
  return share ? (
    <MadeShare title={title} share={share} close={close} />
  ) : (
    <NewShareDialog
      title={title}
      entries={entries}
      onMade={setShare}
      onEntries={(changed) => {
        setEntries(changed);
        onChanged();
      }}
      close={close}
    />
  );
}

function MadeShare({
  title,
  share,
  close,
}: {
  readonly title: string;
  readonly share: CreatedShare;
  readonly close: () => void;
}) {
  const { files } = messages();
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <SendButton url={share.url} />
          <Button kind="first" icon="copy" onClick={() => void copyText(share.url)}>
            {files.copyLink}
          </Button>
        </>
      }
    >
      <div class="shared">
        <Copyable text={share.url} label={files.copyLink} />
        <QrCode text={share.url} label={files.qrCode} />
        <p class="quiet">
          {files.ends} <Time at={share.expires_at} />
        </p>
        {share.message !== undefined && <p class="note">{share.message}</p>}
      </div>
    </Dialog>
  );
}

/** Returns the body of the request: a folder, one file or a bundle. */
function targetOf(entries: readonly Entry[]): Pick<NewShare, 'prefix' | 'object' | 'objects'> {
  const [first] = entries;
  if (first!.kind === 'folder') return { prefix: first!.key.replace(/\/$/, '') };
  return entries.length === 1 ? { object: first!.key } : { objects: entries.map(({ key }) => key) };
}

function NewShareDialog({
  title,
  entries,
  onMade,
  onEntries,
  close,
}: {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly onMade: (share: CreatedShare) => void;
  /** Called with the entries once they are private. */
  readonly onEntries: (entries: readonly Entry[]) => void;
  readonly close: () => void;
}) {
  const { files } = messages();
  const [form, setForm] = useState<Form>({ lifetime: '86400', most: '', password: '', hasPage: true });
  const { typed, ticked, chosen } = formInputs(form, setForm);
  const run = async () => {
    const body = {
      ...targetOf(entries),
      expires_in: Number(form.lifetime),
      landing: form.hasPage,
      ...(form.most !== '' && { max_downloads: Number(form.most) }),
      ...(form.password !== '' && { password: form.password }),
    };
    onMade(await ask(createShare({ body })));
  };
  return (
    <FormDialog title={title} action={files.createLink} run={run} onClose={close}>
      <Choice
        label={files.lifetime}
        options={lifetimes.map((seconds) => [seconds, files.lifetimes[seconds]] as const)}
        {...chosen('lifetime')}
      />
      <Field
        label={files.maxDownloads}
        hint={files.maxDownloadsHint}
        type="number"
        min={1}
        max={10_000}
        {...typed('most')}
      />
      <PasswordField label={files.password} hint={files.passwordHint} {...typed('password')} />
      <Tick label={files.landing} {...ticked('hasPage')} />
      {entries.some(isPublic) && (
        <div class="note">
          <p>{files.sharePublic}</p>
          <Button icon="lock" onClick={() => void madePrivate(entries).then(onEntries, toastError)}>
            {files.makePrivate}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

function isPublic(entry: Entry): entry is FileEntry {
  return entry.kind === 'file' && !entry.file.private;
}

/** Makes the public ones private. Returns all of them as they are then. */
async function madePrivate(entries: readonly Entry[]): Promise<readonly Entry[]> {
  const ids = new Map<string, string>();
  const named = entries.filter(isPublic).map(({ key: id, name }) => ({ id, name }));
  await setVisibility(named, true, (before, after) => ids.set(before, after));
  return entries.map((entry) => {
    const id = ids.get(entry.key);
    if (id === undefined || entry.kind === 'folder') return entry;
    return { ...entry, key: id, file: { ...entry.file, id, private: true, url: null } };
  });
}
