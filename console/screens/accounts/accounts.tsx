import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Accounts() {
  return <Screen title={words().screens.accounts} lead={words().common.notYet} />;
}
