import { useState } from 'preact/hooks';

import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { addressOf } from './download.ts';
import { kindOf, type FileEntry, type Kind } from './entry.ts';

/** Texts that the hosts of files do not have saved, and that browsers show as they are. */
const shownText = /\.(json|log|md|txt)$/i;

/**
 * Shows an image, a video, a sound or a text, from the host of public files or of links. Browsers show no PDF within a
 * frame without rights, and one with rights could replace the page. So a PDF has only a link. Others have no preview.
 */
export function Preview({ entry }: { readonly entry: FileEntry }) {
  const kind = kindOf(entry.key);
  const isShown = kind === 'text' ? shownText.test(entry.key) : kind !== 'archive' && kind !== 'other';
  const address = useResource((signal) => (isShown ? addressOf(entry.file, signal) : Promise.resolve('')), [entry.key]);
  const [hasFailed, setFailed] = useState(false);
  const { files } = messages();
  if (!isShown || hasFailed || !address.data) return null;
  return (
    <div class="preview">
      <Media kind={kind} address={address.data} name={entry.name} onFailed={() => setFailed(true)} />
      {(kind === 'pdf' || kind === 'text') && (
        <a href={address.data} target="_blank" rel="noreferrer">
          {files.openInTab}
        </a>
      )}
    </div>
  );
}

interface MediaProps {
  readonly kind: Kind;
  readonly address: string;
  readonly name: string;
  readonly onFailed: () => void;
}

function Media({ kind, address, name, onFailed }: MediaProps) {
  const { files } = messages();
  if (kind === 'pdf') return null;
  const label = files.previewOf(name);
  if (kind === 'image') return <img src={address} alt={label} onError={onFailed} />;
  if (kind === 'video')
    return <video src={address} controls preload="metadata" aria-label={label} onError={onFailed} />;
  if (kind === 'audio')
    return <audio src={address} controls preload="metadata" aria-label={label} onError={onFailed} />;
  // The file is of a stranger: no script of it runs, and it is of no origin.
  return <iframe src={address} title={label} sandbox="" loading="lazy" referrerpolicy="no-referrer" />;
}
