import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Ai() {
  return <Screen title={words().screens.ai} lead={words().common.notYet} />;
}
