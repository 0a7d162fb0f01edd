import { formatShare } from '../format.ts';

/** @param share from 0 to 1; undefined while the end is not known */
export function Progress({ label, share }: { readonly label: string; readonly share: number | undefined }) {
  return (
    <div class="progress">
      <progress aria-label={label} max={1} {...(share !== undefined && { value: share })} />
      {share !== undefined && <span class="quiet">{formatShare(share)}</span>}
    </div>
  );
}
