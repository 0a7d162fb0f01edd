import type { ScreenProps } from '../../app/screen-props.ts';
import { AccountList } from './account-list.tsx';
import { AccountScreen } from './account-screen.tsx';

/** All accounts, and one of them. */
export default function Accounts({ rest: [accountId, tab = 'account'] }: ScreenProps) {
  if (accountId === undefined) return <AccountList />;
  return <AccountScreen key={accountId} accountId={accountId} tab={tab} />;
}
