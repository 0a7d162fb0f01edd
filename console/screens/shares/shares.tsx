import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Shares() {
  return <Screen title={words().screens.shares} lead={words().common.notYet} />;
}
