import './object-name.css';

import { messages } from '../app/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { keyOf, spaceOf } from './object-id.ts';
import { plainText } from '../ui/plain-text.ts';

/** The key of a file and who can read it. Marks of direction in the key do not reach the text around it. */
export function ObjectName({ id }: { readonly id: string }) {
  const space = spaceOf(id);
  return (
    <span class="object-name">
      <span title={messages().shares.spaces[space]}>
        <Icon name={space === 'public' ? 'globe' : 'lock'} size={16} />
      </span>
      <bdi dir="auto">{plainText(keyOf(id))}</bdi>
      <span class="visually-hidden">({messages().shares.spaces[space]})</span>
    </span>
  );
}
