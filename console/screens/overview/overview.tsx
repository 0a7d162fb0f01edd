import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function Overview() {
  return <Screen title={words().screens.overview} lead={words().common.notYet} />;
}
