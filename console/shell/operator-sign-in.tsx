import { messages } from '../app/messages.ts';
import { KeyForm } from './key-form.tsx';
import { SignInCard } from './sign-in-card.tsx';

/** The sign-in of an operator, with an operator key. */
export function OperatorSignIn() {
  const { signIn } = messages();
  return (
    <SignInCard title={signIn.operatorTitle}>
      <KeyForm label={signIn.operatorKey} hint={signIn.operatorKeyHint} canRemember={false} />
    </SignInCard>
  );
}
