import { messages } from '../app/messages.ts';
import { Icon } from '../ui/icon.tsx';

/** Marks a file that anybody with its address can read. */
export function PublicMark() {
  const { files } = messages();
  return (
    <span class="badge public" title={files.publicHint}>
      <Icon name="globe" size={14} /> {files.public}
    </span>
  );
}
