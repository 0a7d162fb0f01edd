import { useEffect } from 'preact/hooks';

import type { Place } from './place.ts';
import { onUploaded } from './uploads.ts';

/** Several files often arrive within a second. The list is read at most this often, also while many arrive. */
const everyMs = 1200;

/** Lists a folder anew soon after a file was uploaded into it. */
export function useReloadAfterUploads({ prefix }: Place, reload: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onUploaded((folder) => {
      if (!folder.startsWith(prefix)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, everyMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [prefix, reload]);
}
