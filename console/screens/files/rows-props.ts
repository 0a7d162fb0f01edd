import type { RefObject } from 'preact';

import type { VirtualHandle } from '../../ui/virtual-list.tsx';
import type { Actions } from './actions.tsx';
import type { Entry } from './entry.ts';
import type { Listing } from './use-listing.ts';
import type { Selection } from './use-selection.ts';

/** What the list and the grid share. */
export interface RowsProps {
  readonly label: string;
  readonly listing: Listing;
  readonly selection: Selection;
  /** The row that keys act on. */
  readonly current: number;
  readonly setCurrent: (index: number) => void;
  readonly open: (entry: Entry) => void;
  readonly actions: Actions;
  readonly handle: RefObject<VirtualHandle | null>;
  /** The row whose details are shown. */
  readonly shown: Entry | undefined;
}
