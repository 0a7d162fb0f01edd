import type { ComponentChildren } from 'preact';

import type { Resource } from '../app/use-resource.ts';
import { Problem } from './problem.tsx';
import { Skeleton } from './skeleton.tsx';

/** Shows what a resource has loaded, grey lines before that, and a failure with a way to try again. */
export function Loaded<T>({
  resource: { data, error, reload },
  lines,
  children,
}: {
  readonly resource: Resource<T>;
  readonly lines?: number;
  readonly children: (data: T) => ComponentChildren;
}) {
  return (
    <>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {data !== undefined
        ? children(data)
        : error === undefined && <Skeleton {...(lines !== undefined && { lines })} />}
    </>
  );
}
