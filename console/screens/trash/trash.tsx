import './trash.css';

import type { ScreenProps } from '../../app/screen-props.ts';
import { FileVersions } from './file-versions.tsx';
import { TrashList } from './trash-list.tsx';

/** The trash, or with `?file=` the versions of one file. */
export default function Trash({ query }: ScreenProps) {
  const file = query.get('file');
  return file === null ? <TrashList initialPrefix={query.get('prefix') ?? undefined} /> : <FileVersions id={file} />;
}
