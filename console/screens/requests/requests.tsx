import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Requests() {
  return <Screen title={words().screens.requests} lead={words().common.notYet} />;
}
