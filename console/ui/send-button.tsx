import { messages } from '../app/messages.ts';
import { Button } from './button.tsx';

/** Gives an address to another program of the device, where the browser can: on phones, mostly. */
export function SendButton({ url }: { readonly url: string }) {
  if (typeof navigator.share !== 'function') return null;
  return (
    // The person may change their mind, which is no error.
    <Button icon="share" onClick={() => void navigator.share({ url }).catch(() => {})}>
      {messages().files.send}
    </Button>
  );
}
