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
