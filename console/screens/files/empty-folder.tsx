import { messages } from '../../app/messages.ts';
import { Empty } from '../../ui/empty.tsx';

export function EmptyFolder({ isFiltered, canWrite }: { readonly isFiltered: boolean; readonly canWrite: boolean }) {
  const { files } = messages();
  return (
    <Empty icon="folder" title={isFiltered ? files.nothingFound : files.empty}>
      <p>{isFiltered ? files.nothingFoundHint : canWrite ? files.emptyHint : ''}</p>
    </Empty>
  );
}
