import { words } from '../../app/words.ts';
import { Screen } from '../../ui/screen.tsx';

export default function S3() {
  return <Screen title={words().screens.s3} lead={words().common.notYet} />;
}
