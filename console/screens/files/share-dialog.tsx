import { useState } from 'preact/hooks';

import { createShare, type CreatedShare } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { words } from '../../app/words.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable, copyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field, Tick } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import type { Entry } from './entry.ts';
import { SendButton } from '../../ui/send-button.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

const lifetimes = ['3600', '86400', '604800', '2592000'] as const;

/** Makes a share link to files or a folder, and shows it with its QR code. */
export function ShareDialog({ entries, close }: { readonly entries: readonly Entry[]; readonly close: () => void }) {
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>('86400');
  const [most, setMost] = useState('');
  const [password, setPassword] = useState('');
  const [hasPage, setPage] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [share, setShare] = useState<CreatedShare>();
  const { files, common } = words();
  const first = entries[0]!;
  const submit = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const target =
        first.kind === 'folder'
          ? { prefix: first.key.replace(/\/$/, '') }
          : entries.length === 1
            ? { object: first.key }
            : { objects: entries.map(({ key }) => key) };
      const body = {
        ...target,
        expires_in: Number(lifetime),
        landing: hasPage,
        ...(most !== '' && { max_downloads: Number(most) }),
        ...(password !== '' && { password }),
      };
      setShare(await ask(createShare({ body })));
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const title = entries.length === 1 ? files.shareTitle(first.name) : files.shareMany(String(entries.length));
  if (share)
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
  return (
    <Dialog
      title={title}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="first" type="submit" isBusy={isBusy}>
            {files.createLink}
          </Button>
        </>
      }
    >
      <Choice
        label={files.lifetime}
        value={lifetime}
        options={lifetimes.map((seconds) => [seconds, files.lifetimes[seconds]] as const)}
        onChoose={setLifetime}
      />
      <Field
        label={files.maxDownloads}
        hint={files.maxDownloadsHint}
        type="number"
        min={1}
        max={10_000}
        value={most}
        onInput={({ currentTarget }) => setMost(currentTarget.value)}
      />
      <Field
        label={files.password}
        hint={files.passwordHint}
        type="password"
        minLength={8}
        maxLength={128}
        autocomplete="new-password"
        value={password}
        onInput={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <Tick label={files.landing} checked={hasPage} onChange={({ currentTarget }) => setPage(currentTarget.checked)} />
      {entries.some((entry) => entry.kind === 'file' && !entry.file.private) && <p class="note">{files.sharePublic}</p>}
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}
