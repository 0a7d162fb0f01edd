import type { Share, ShareChange } from '#dist/modules/client/index.js';

/** What the form for changing a link has. Texts are as typed. */
export interface ShareForm {
  /** Undefined keeps the end. */
  readonly seconds: number | undefined;
  readonly cap: string;
  readonly password: 'keep' | 'change' | 'remove';
  readonly newPassword: string;
  readonly landing: boolean;
  readonly title: string;
  readonly message: string;
}

/** Returns only what differs from the link as it is; undefined if nothing does. */
export function changeOf(share: Share, form: ShareForm): ShareChange | undefined {
  const cap = form.cap.trim() === '' ? null : Number(form.cap);
  const title = form.title.trim() === '' ? null : form.title;
  const message = form.message.trim() === '' ? null : form.message;
  const change = {
    ...(form.seconds !== undefined && { expires_in: form.seconds }),
    ...(cap !== share.max_downloads && { max_downloads: cap }),
    ...(form.password === 'remove' && { password: null }),
    ...(form.password === 'change' && form.newPassword !== '' && { password: form.newPassword }),
    ...(form.landing !== share.landing && { landing: form.landing }),
    ...(title !== (share.title ?? null) && { title }),
    ...(message !== (share.message ?? null) && { message }),
  };
  return Object.keys(change).length === 0 ? undefined : { id: share.id, ...change };
}
