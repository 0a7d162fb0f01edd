import { useState } from 'preact/hooks';

import { kept, keep } from '../../app/kept.ts';

export type View = 'list' | 'grid';

/** How files are shown. This browser keeps it. */
export function useView(): readonly [View, (view: View) => void] {
  const [view, setView] = useState<View>(kept('files-view') === 'grid' ? 'grid' : 'list');
  return [
    view,
    (chosen) => {
      keep('files-view', chosen);
      setView(chosen);
    },
  ];
}
