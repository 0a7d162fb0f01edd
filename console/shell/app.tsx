import { config } from '../app/config.ts';
import { session } from '../app/session-state.ts';
import { Dialogs } from '../ui/dialogs.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Frame } from './frame.tsx';
import { LostBanner } from './lost-banner.tsx';
import { OperatorSignIn } from './operator-sign-in.tsx';
import { SignIn } from './sign-in.tsx';

/** The whole page: the sign-in, or the frame with a screen in it. */
export function App() {
  const isOperator = config().door === 'operator';
  return (
    <>
      <LostBanner />
      {session.value ? <Frame /> : isOperator ? <OperatorSignIn /> : <SignIn />}
      <Dialogs />
      <Toasts />
    </>
  );
}
