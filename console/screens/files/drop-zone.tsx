import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { filesIn } from './dropped.ts';
import type { Place } from './place.ts';
import { offerFound } from './offer-found.ts';

/** Uploads what is dropped anywhere on the screen, or pasted. */
export function DropZone({
  place,
  isOff,
  children,
}: {
  readonly place: Place;
  readonly isOff: boolean;
  readonly children: ComponentChildren;
}) {
  const [depth, setDepth] = useState(0);
  useEffect(() => {
    if (isOff) return undefined;
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLInputElement || document.querySelector('dialog[open]')) return;
      if (event.clipboardData?.files.length)
        void filesIn(event.clipboardData).then((found) => offerFound(place, found));
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, [place, isOff]);
  if (isOff) return <>{children}</>;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
  return (
    <div
      class="drop-zone"
      onDragEnter={(event) => hasFiles(event) && setDepth((before) => before + 1)}
      onDragLeave={(event) => hasFiles(event) && setDepth((before) => Math.max(0, before - 1))}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        void filesIn(event.dataTransfer!).then((found) => offerFound(place, found));
      }}
    >
      {children}
      {depth > 0 && (
        <div class="drop-here">
          <Icon name="upload" size={40} />
          {messages().files.dropHere}
        </div>
      )}
    </div>
  );
}
