import { messages } from '../app/messages.ts';
import { IconButton } from './button.tsx';
import { plainText } from './plain-text.ts';
import { toast } from './toasts.tsx';

/** Copies a text, and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(messages().common.copied);
  } catch {
    toast(messages().common.notCopied);
  }
}

/** A text that is copied with one press: an address, an id, a secret. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="copyable">
      <code>{plainText(text)}</code>
      <IconButton icon="copy" label={label} onClick={() => void copyText(text)} />
    </div>
  );
}
