import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Jobs() {
  return <Screen title={words().screens.jobs} lead={words().common.notYet} />;
}
