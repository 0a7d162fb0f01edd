import { useState } from 'preact/hooks';

import { isOn } from '../app/config.ts';
import { messages } from '../app/messages.ts';
import { Button } from '../ui/button.tsx';
import { DeviceSignIn } from './device-sign-in.tsx';
import { KeyForm } from './key-form.tsx';
import { SignInCard } from './sign-in-card.tsx';

/** The sign-in of an account: with an API key, or by approval on a page that is signed in elsewhere. */
export function SignIn() {
  const [isDevice, setDevice] = useState(false);
  const { signIn } = messages();
  return (
    <SignInCard title={signIn.title}>
      {isDevice ? (
        <DeviceSignIn onBack={() => setDevice(false)} />
      ) : (
        <>
          <KeyForm label={signIn.key} hint={signIn.keyHint} canRemember />
          {isOn('devices') && (
            <>
              <p class="or">{signIn.or}</p>
              <Button class="whole" onClick={() => setDevice(true)}>
                {signIn.device}
              </Button>
            </>
          )}
        </>
      )}
    </SignInCard>
  );
}
