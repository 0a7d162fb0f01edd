import { withBase } from 'vitepress';

/** Leads an address of the earlier reference, which was one page, to the page of its tag: `/docs/#/objects/uploadobject`. */
export function followOldAddress(): void {
  const [, tag, id] = /^#\/([\w-]+)(?:\/(\w+))?$/.exec(location.hash) ?? [];
  if (tag !== undefined && location.pathname === withBase('/'))
    location.replace(withBase(`/reference/${tag}`) + (id === undefined ? '' : `#${id}`));
}
