import type { Given } from '#server/compose/given.ts';
import { publicUrl } from '#server/features/files/public-url.ts';
import { folderQueue } from './backends/folder-queue.ts';
import { foldersHandlers } from './handlers/folders.ts';

/** Works on jobs over folders. */
export function serve({ urls, stores, core, log }: Given) {
  const queue = folderQueue({
    ...stores,
    publicUrl: (object) => publicUrl(urls.public, object),
    onFault: (error) => log.error({ job: 'folders', error }, 'fault'),
  });
  return { handlers: () => foldersHandlers({ ...core, onFolderJob: queue.nudge }), work: queue };
}
