import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Activity() {
  return <Screen title={words().screens.activity} lead={words().common.notYet} />;
}
