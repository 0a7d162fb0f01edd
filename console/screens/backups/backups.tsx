import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Backups() {
  return <Screen title={words().screens.backups} lead={words().common.notYet} />;
}
