import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Keys() {
  return <Screen title={words().screens.keys} lead={words().common.notYet} />;
}
