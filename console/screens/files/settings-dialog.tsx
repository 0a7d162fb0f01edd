import { useState } from 'preact/hooks';

import { words } from '../../app/words.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import type { Change, Settings } from './changes.ts';
import type { Entry } from './entry.ts';

type Shown = 'keep' | 'none' | 'set';

/** Asks what to change: visibility, expiry and headers. Everything stays that is not chosen. */
export function SettingsDialog({
  entries,
  close,
}: {
  readonly entries: readonly Entry[];
  readonly close: (change?: Change) => void;
}) {
  const [visibility, setVisibility] = useState<'keep' | 'public' | 'private'>('keep');
  const [expiry, setExpiry] = useState<Shown>('keep');
  const [days, setDays] = useState('30');
  const [disposition, setDisposition] = useState<'keep' | 'none' | 'inline' | 'attachment'>('keep');
  const [cache, setCache] = useState<Shown | 'immutable'>('keep');
  const [seconds, setSeconds] = useState('3600');
  const { files, common } = words();
  const hasFolder = entries.some(({ kind }) => kind === 'folder');
  const settings: Settings = {
    ...(visibility !== 'keep' && { private: visibility === 'private' }),
    ...(expiry !== 'keep' && { expire: expiry === 'none' ? null : `${days}d` }),
    ...(cache !== 'keep' && {
      cache_control: cache === 'none' ? null : cache === 'immutable' ? 'immutable' : `max-age=${seconds}`,
    }),
    ...(disposition !== 'keep' && { disposition: disposition === 'none' ? null : disposition }),
  };
  const isNothing = Object.keys(settings).length === 0;
  return (
    <Dialog
      title={entries.length === 1 ? files.changeOne(entries[0]!.name) : files.changeTitle(formatNumber(entries.length))}
      onClose={() => close()}
      onSubmit={() => !isNothing && close({ action: 'update', ...settings })}
      actions={
        <>
          <Button onClick={() => close()}>{common.cancel}</Button>
          <Button kind="first" type="submit" disabled={isNothing}>
            {files.change}
          </Button>
        </>
      }
    >
      <Choice
        label={files.visibility}
        hint={files.visibilityHint}
        value={visibility}
        options={[
          ['keep', files.keep],
          ['public', files.public],
          ['private', files.private],
        ]}
        onChoose={setVisibility}
      />
      <Choice
        label={files.expiry}
        value={expiry}
        options={[
          ['keep', files.keep],
          ['none', common.never],
          ['set', files.afterDays],
        ]}
        onChoose={setExpiry}
      />
      {expiry === 'set' && (
        <Field
          label={files.days}
          type="number"
          min={1}
          max={1825}
          required
          value={days}
          onInput={({ currentTarget }) => setDays(currentTarget.value)}
        />
      )}
      {!hasFolder && (
        <>
          <Choice
            label={files.disposition}
            value={disposition}
            options={[
              ['keep', files.keep],
              ['none', files.standard],
              ['inline', files.inline],
              ['attachment', files.attachment],
            ]}
            onChoose={setDisposition}
          />
          <Choice
            label={files.cacheControl}
            value={cache}
            options={[
              ['keep', files.keep],
              ['none', files.standard],
              ['immutable', files.immutable],
              ['set', files.maxAge],
            ]}
            onChoose={setCache}
          />
          {cache === 'set' && (
            <Field
              label={files.seconds}
              type="number"
              min={60}
              max={31_536_000}
              required
              value={seconds}
              onInput={({ currentTarget }) => setSeconds(currentTarget.value)}
            />
          )}
        </>
      )}
    </Dialog>
  );
}
