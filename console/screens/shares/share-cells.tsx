import type { Share } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { keyOf } from '../../files/object-id.ts';
import { ObjectName } from '../../files/object-name.tsx';
import { shownPath, type Named } from '../../files/shown-name.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { stateOf } from './share-state.ts';

/** What a link leads to. */
export function ShareTarget({ share }: { readonly share: Share }) {
  if (share.kind === 'file') return <ObjectName file={fileOf(share)} />;
  return (
    <span class="object-name">
      <Icon name={share.kind === 'folder' ? 'folder' : 'file'} size={16} />
      <bdi>{folderText(share)}</bdi>
      {share.kind === 'files' && <span class="badge">{share.files}</span>}
    </span>
  );
}

function folderText({ kind, prefix, object }: Share): string {
  if (kind === 'folder') return `${prefix}/`;
  return keyOf(object) || '/';
}

function fileOf({ object: id, original_name }: Share): Named {
  return { id, ...(original_name !== undefined && { original_name }) };
}

/** Returns a link's name in texts: its heading, or what it leads to. */
export function nameOf(share: Share): string {
  return plainText(share.title ?? (share.kind === 'file' ? shownPath(fileOf(share)) : folderText(share)));
}

export function StateBadge({ share }: { readonly share: Share }) {
  const { shares } = messages();
  const state = stateOf(share);
  return <span class={`badge ${state === 'active' ? 'good' : ''}`}>{shares[state]}</span>;
}
