import './snippet.css';

import { copyText } from './copy.tsx';
import { IconButton } from './button.tsx';

/** Lines to copy into a program. They are read from left to right in every language. */
export function Snippet({
  text,
  title,
  copyLabel,
}: {
  readonly text: string;
  readonly title: string;
  readonly copyLabel: string;
}) {
  return (
    <figure class="snippet">
      <figcaption>
        <span>{title}</span>
        <IconButton icon="copy" label={copyLabel} onClick={() => void copyText(text)} />
      </figcaption>
      <pre dir="ltr" tabIndex={0} role="region" aria-label={title}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
