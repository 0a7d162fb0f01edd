/** A file that pages load, besides what they show. */
export interface PagePart {
  readonly path: string;
  readonly type: string;
  readonly content: string;
  readonly cacheControl: string;
}
