import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Usage() {
  return <Screen title={words().screens.usage} lead={words().common.notYet} />;
}
