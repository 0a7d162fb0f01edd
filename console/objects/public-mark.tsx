import { words } from '../app/words.ts';
import { Icon } from '../ui/icon.tsx';

/** Marks a file that anybody with its address can read. */
export function PublicMark() {
  const { files } = words();
  return (
    <span class="badge public" title={files.publicHint}>
      <Icon name="globe" size={14} /> {files.public}
    </span>
  );
}
