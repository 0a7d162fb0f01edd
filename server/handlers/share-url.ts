/**
 * Where a share link is opened.
 *
 * @param filesHost address of the files host, without a trailing slash
 */
export function shareUrl(filesHost: string, shareId: string): string {
  return `${filesHost}/s/${shareId}`;
}
