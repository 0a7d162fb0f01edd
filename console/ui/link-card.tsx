import { messages } from '../app/messages.ts';
import { Copyable } from './copy.tsx';
import { QrCode } from './qr-code.tsx';

/** An address for other people: to copy, to open, and as a QR code. */
export function LinkCard({ url }: { readonly url: string }) {
  const { shares } = messages();
  return (
    <>
      <Copyable text={url} label={shares.copy} />
      <QrCode text={url} label={shares.qrOf} />
      <p class="hint link-open">
        <a href={url} target="_blank" rel="noreferrer">
          {shares.open}
        </a>
      </p>
    </>
  );
}
