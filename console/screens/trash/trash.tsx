import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Trash() {
  return <Screen title={words().screens.trash} lead={words().common.notYet} />;
}
