import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Audit() {
  return <Screen title={words().screens.audit} lead={words().common.notYet} />;
}
