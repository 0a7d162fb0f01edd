import type { ComponentChildren } from 'preact';

import type { Pages } from '../app/use-pages.ts';
import { More } from './more.tsx';
import { Skeleton } from './skeleton.tsx';

/** Shows a list that is read page by page: grey lines before the first page, and a button for more at the end. */
export function Listed<T>({
  pages,
  empty,
  children,
}: {
  readonly pages: Pages<T>;
  /** Shown if the list has no items. */
  readonly empty: ComponentChildren;
  readonly children: (items: readonly T[]) => ComponentChildren;
}) {
  const { items, error } = pages;
  return (
    <>
      {items ? (items.length === 0 ? empty : children(items)) : error === undefined && <Skeleton />}
      <More pages={pages} />
    </>
  );
}
