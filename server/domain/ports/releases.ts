import { overTransactions } from './decorated.ts';
import type { Metadata } from './metadata.ts';

/** Called with the id of a content after the commit that released it. Another row may still have it. */
type OnReleased = (contentId: string) => void;

/** Tells who follows them about contents that lose a row in this process. */
export interface Releases {
  follow(onReleased: OnReleased): void;
}

/** Returns the same store of rows, and where to follow the contents that it releases. No use case can forget it so. */
export function signallingReleases(metadata: Metadata): { readonly metadata: Metadata; readonly releases: Releases } {
  const followers: OnReleased[] = [];
  return {
    releases: { follow: (onReleased) => void followers.push(onReleased) },
    metadata: overTransactions(metadata, (tx) => {
      if (followers.length === 0) return {};
      const { contents } = tx;
      return {
        contents: {
          ...contents,
          async release(contentId) {
            await contents.release(contentId);
            tx.afterCommit(() => {
              for (const follower of followers) follower(contentId);
            });
          },
        },
      };
    }),
  };
}
