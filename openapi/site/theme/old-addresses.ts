import { withBase } from 'vitepress';

/**
 * Removes a fragment that names no heading: their anchors are letters, digits, `-` and `_`. The generator would decode
 * it, and stop where that fails.
 */
export function dropStrangeFragment(): void {
  let fragment: string | undefined;
  try {
    fragment = decodeURIComponent(location.hash);
  } catch {
    // Half of an escape.
  }
  if (fragment === undefined || !/^(#[\p{L}\p{N}_/-]*)?$/u.test(fragment))
    history.replaceState(history.state, '', location.pathname + location.search);
}

/** Leads an address of the earlier reference, such as `/docs/#/files/uploadobject`, to the page of its tag. */
export function followOldAddress(): void {
  const [, tag, id] = /^#\/([\w-]+)(?:\/(\w+))?$/.exec(location.hash) ?? [];
  if (tag !== undefined && location.pathname === withBase('/'))
    location.replace(withBase(`/reference/${tag}`) + (id === undefined ? '' : `#${id}`));
}
