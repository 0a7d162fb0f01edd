import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Rules() {
  return <Screen title={words().screens.rules} lead={words().common.notYet} />;
}
