import './object-name.css';

import { messages } from '../app/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { plainName } from '../ui/plain-text.ts';
import { keyOf, spaceOf } from './object-id.ts';
import { shownPath, type Named } from './shown-name.ts';

/** The folder and the name of a file, and who can read it. Its key is a detail. */
export function ObjectName({ file }: { readonly file: Named }) {
  const space = spaceOf(file.id);
  return (
    <span class="object-name">
      <span title={messages().shares.spaces[space]}>
        <Icon name={space === 'public' ? 'globe' : 'lock'} size={16} />
      </span>
      <bdi dir="auto" title={plainName(keyOf(file.id))}>
        {shownPath(file)}
      </bdi>
      <span class="visually-hidden">({messages().shares.spaces[space]})</span>
    </span>
  );
}
