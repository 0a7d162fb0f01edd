import { getObjectInfo, type ObjectInfo } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Time } from '../../ui/time.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { copyLinkOf, type Actions } from './actions.tsx';
import { downloadFile } from './download.ts';
import type { FileEntry } from './entry.ts';
import { keyOf } from '../../files/object-id.ts';
import { PublicMark } from '../../files/public-mark.tsx';
import { Preview } from './preview.tsx';

/** Everything that is known of a file, with a preview: beside the list, or over it in narrow windows. */
export function Details({
  entry,
  actions,
  onClose,
}: {
  readonly entry: FileEntry;
  readonly actions: Actions;
  readonly onClose: () => void;
}) {
  const { files, common } = messages();
  const info = useResource((signal) => ask(getObjectInfo({ query: { object: entry.key }, signal })), [entry.key]);
  return (
    <aside
      class="details"
      aria-label={files.detailsOf(entry.name)}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <header>
        <h2>
          <bdi>{entry.name}</bdi>
        </h2>
        <IconButton icon="close" label={common.close} onClick={onClose} />
      </header>
      <Preview entry={entry} />
      <div class="actions">
        <Button icon="download" onClick={() => void downloadFile(entry.file).catch(toastError)}>
          {files.download}
        </Button>
        <Button icon="link" onClick={() => void copyLinkOf(entry.file).catch(toastError)}>
          {files.copyLink}
        </Button>
        {actions.canWrite && (
          <>
            {actions.canShare && (
              <Button icon="share" onClick={() => actions.share([entry])}>
                {files.share}
              </Button>
            )}
            <Button icon="edit" onClick={() => actions.rename(entry)}>
              {files.rename}
            </Button>
            <Button icon="gear" onClick={() => actions.settings([entry])}>
              {files.change}
            </Button>
            <Button icon="trash" onClick={() => actions.remove([entry])}>
              {files.delete}
            </Button>
          </>
        )}
      </div>
      <Loaded resource={info}>{(loaded) => <FileFacts info={loaded} />}</Loaded>
    </aside>
  );
}

function FileFacts({ info }: { readonly info: ObjectInfo }) {
  const { files, common } = messages();
  return (
    <>
      <Facts
        rows={[
          [files.columns.size, `${formatSize(info.size)} (${formatNumber(info.size)} B)`],
          [files.type, info.content_type],
          [
            files.visibility,
            <>
              {info.private ? files.private : <PublicMark />}
              {!info.private && ` ${files.publicHint}`}
              {info.legacy && ` · ${files.legacy}`}
            </>,
          ],
          [files.columns.created, <Time at={info.created_at} />],
          [files.expiry, info.expires_at === null ? common.never : <Time at={info.expires_at} />],
          ['Cache-Control', info.cache_control ?? files.standard],
          ['Content-Disposition', info.content_disposition ?? files.standard],
          ...Object.entries(info.metadata),
        ]}
      />
      <Labelled label={files.key} text={keyOf(info.id)} />
      <Labelled label="ID" text={info.id} />
      {info.url !== null && <Labelled label={files.publicUrl} text={info.url} />}
      {info.sha256 !== null && <Labelled label="SHA-256" text={info.sha256} />}
      <Labelled label="ETag" text={info.etag} />
    </>
  );
}

function Labelled({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="labelled">
      <span class="quiet">{label}</span>
      <Copyable text={text} label={messages().files.copyWhat(label)} />
    </div>
  );
}
