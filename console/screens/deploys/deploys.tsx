import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Deploys() {
  return <Screen title={words().screens.deploys} lead={words().common.notYet} />;
}
