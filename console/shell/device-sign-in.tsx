import { useEffect, useState } from 'preact/hooks';

import { isAborted } from '../app/api-error.ts';
import { awaitKey, startDeviceFlow } from '../app/device-flow.ts';
import { signIn } from '../app/session.ts';
import { messages } from '../app/messages.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { DeviceCode } from '#dist/modules/client/index.js';

/** Shows the code of a device approval, waits for it, and exchanges the key at once. */
export function DeviceSignIn({ onBack }: { readonly onBack: () => void }) {
  const [code, setCode] = useState<DeviceCode>();
  const [error, setError] = useState<unknown>();
  const [turn, setTurn] = useState(0);
  const { signIn: text, common } = messages();
  useEffect(() => {
    const control = new AbortController();
    const run = async () => {
      setCode(undefined);
      setError(undefined);
      const started = await startDeviceFlow(text.deviceName, control.signal);
      setCode(started);
      await signIn(await awaitKey(started, control.signal), true);
    };
    run().catch((failure: unknown) => {
      if (!control.signal.aborted && !isAborted(failure)) setError(failure);
    });
    return () => control.abort();
  }, [turn]);
  return (
    <div class="device">
      {error !== undefined ? (
        <Problem error={error} onRetry={() => setTurn(turn + 1)} />
      ) : code ? (
        <>
          <p>{text.deviceLead}</p>
          <p class="device-code" aria-label={text.deviceCode}>
            {code.user_code}
          </p>
          <a class="button first whole" href={code.verification_uri} target="_blank" rel="noreferrer">
            {text.openActivation}
          </a>
          <p class="hint" role="status">
            {text.waiting}
          </p>
        </>
      ) : (
        <Skeleton lines={3} />
      )}
      <Button kind="quiet" class="whole" onClick={onBack}>
        {common.back}
      </Button>
    </div>
  );
}
