import { useEffect, useState } from 'preact/hooks';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { toast, toastError } from '../../ui/toasts.tsx';
import { allEntries, mostChosen } from './all-entries.ts';
import type { Filter } from './load-page.ts';
import type { Place } from './place.ts';
import type { Selection } from './use-selection.ts';

/** Chooses the rows that are not loaded too. */
export function ChooseAll({
  place,
  filter,
  selection,
}: {
  readonly place: Place;
  readonly filter: Filter;
  readonly selection: Selection;
}) {
  const [isBusy, setBusy] = useState(false);
  const [control] = useState(() => new AbortController());
  useEffect(() => () => control.abort(), []);
  const { files } = messages();
  const run = async () => {
    setBusy(true);
    try {
      const { entries, isAll } = await allEntries(place, filter, control.signal);
      if (control.signal.aborted) return;
      selection.only(entries);
      if (!isAll) toast(files.chosenMost(formatNumber(mostChosen)));
    } catch (error) {
      if (!control.signal.aborted) toastError(error);
    }
    setBusy(false);
  };
  return (
    <Button isBusy={isBusy} onClick={() => void run()}>
      {files.chooseAll}
    </Button>
  );
}
