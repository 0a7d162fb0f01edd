import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Events() {
  return <Screen title={words().screens.events} lead={words().common.notYet} />;
}
