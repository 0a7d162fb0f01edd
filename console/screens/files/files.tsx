import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Files() {
  return <Screen title={words().screens.files} lead={words().common.notYet} />;
}
